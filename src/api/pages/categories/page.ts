import { versionsOf } from '../../api-route-contract.ts';
import { category as categoryName, kind } from '../../http/parameters.ts';
import { problem } from '../../problems.ts';
import { type TreeNode, totalOf, treeOf } from '../../reading/category-tree.ts';
import { filterOf } from '../../reading/entry-filter.ts';
import { titleOf } from '../../reading/build-taxonomy.ts';
import { readTop } from '../../reading/read-top.ts';
import { readLeniently, type PageDefinition, type Visit } from '../shell/page-route.ts';
import { paths } from '../shell/page-context.ts';
import { categoriesView, categoryView } from './view.ts';
import { type Kind, KINDS } from '../../../../projections/listings/document.ts';

async function readTree({ reading, context }: Visit) {
  const { collection } = await reading.live('listings');
  const [counts, taxonomy] = await Promise.all([reading.counts(collection).current(), reading.taxonomy()]);
  const roots = () => treeOf(taxonomy, counts, context.locale).categories;
  const ofKinds = (slug: string) => {
    const of = (one: Kind) =>
      totalOf(counts.filter(filterOf({ kind: one, category: slug }, taxonomy).matches));
    return new Map(KINDS.map((one) => [one, of(one)]));
  };
  return { counts, taxonomy, roots, ofKinds };
}

/** The way to a category from its root, itself included; empty where it holds nothing. */
function trailTo(slug: string, nodes: readonly TreeNode[]): readonly TreeNode[] {
  for (const node of nodes) {
    if (node.slug === slug) return [node];
    const below = trailTo(slug, node.children);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}

export const categories: PageDefinition = {
  place: paths.categories,
  async answer(visit) {
    const { counts, taxonomy, roots, ofKinds } = await readTree(visit);
    return {
      stamps: [taxonomy.digest, counts],
      view: () => categoriesView(roots(), ofKinds, visit.context),
    };
  },
};

/** The most entries that a category shows: as many as the API's top gives at once. */
const SHOWN = 100;

export const category: PageDefinition = {
  place: (locale) => `${paths.categories(locale)}/:slug`,
  async answer(visit) {
    const { reading, context, request } = visit;
    const read = categoryName.schema.safeParse(request.path['slug']);
    const slug = read.data;
    if (slug === undefined) return problem('unknown_route');
    const { kind: chosen = null } = readLeniently({ kind }, request.sent);
    const { counts, taxonomy, roots, ofKinds } = await readTree(visit);
    const trail = trailTo(slug, roots());
    if (trail.length === 0 && !taxonomy.nodes.has(slug)) return problem('unknown_route');
    const top = await readTop(reading, { kind: chosen, category: slug, limit: SHOWN });
    return {
      varying: [slug, chosen],
      stamps: [taxonomy.digest, counts, top.total, ...versionsOf(top.entries)],
      view: () => {
        const title = titleOf(taxonomy, slug)[context.locale];
        return categoryView({ slug, title, trail, kind: chosen, ofKinds: ofKinds(slug), top }, context);
      },
    };
  },
};
