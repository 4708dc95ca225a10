import { instantAt, type Instant } from '../../platform/time/instant.ts';
import { readCategories, type SampleCategory } from '../catalog.ts';
import { oneOf, type Random } from '../random.ts';
import { PARTS, type Part } from './content.ts';

/** What is kept of each simulated entry, by its number: some 40 bytes, for there may be a million of them. */
export function createStates(entries: number) {
  const revisions = new Uint32Array(entries);
  const published = new Uint8Array(entries);
  const since = new Float64Array(entries);
  const edits = new Uint32Array(entries * PARTS.length);
  const place = (entry: number, part: Part): number => entry * PARTS.length + PARTS.indexOf(part);
  const revise = (entry: number, isPublished: 0 | 1): number => {
    const revision = (revisions[entry] ?? 0) + 1;
    revisions[entry] = revision;
    published[entry] = isPublished;
    return revision;
  };
  return {
    /** An entry is first published then (Unix milliseconds). */
    begin: (entry: number, ms: number): void => {
      since[entry] = ms;
    },
    firstPublished: (entry: number): Instant => instantAt(since[entry] ?? 0),
    isPublished: (entry: number): boolean => published[entry] === 1,
    /** How often a part was edited. */
    edits: (entry: number, part: Part): number => edits[place(entry, part)] ?? 0,
    edit: (entry: number, part: Part): void => {
      edits[place(entry, part)] = (edits[place(entry, part)] ?? 0) + 1;
    },
    /** The revision of this publish, one above the last. */
    publish: (entry: number): number => revise(entry, 1),
    /** The same of an unpublish. */
    unpublish: (entry: number): number => revise(entry, 0),
  };
}

/** The sample's taxonomy, whose definitions change now and then. */
export function createTaxonomy() {
  const first = readCategories();
  const parents = new Set(first.map(({ parent }) => parent));
  const roots = first.filter(({ parent }) => parent === null).map(({ slug }) => slug);
  const current = new Map(first.map((category) => [category.slug, { category, revision: 1 }]));
  return {
    first,
    /** Renames a category, or moves one without children below another. No cycle can come of it. */
    change: (random: Random) => {
      const original = oneOf(random, first);
      const before = current.get(original.slug) ?? { category: original, revision: 1 };
      const isLeaf = original.parent !== null && !parents.has(original.slug);
      const category =
        isLeaf && random.uniform() < 0.4
          ? { ...before.category, parent: oneOf(random, [original.parent, ...roots]) }
          : { ...before.category, title: otherTitle(original, before.category) };
      const redefined = { category, revision: before.revision + 1 };
      current.set(original.slug, redefined);
      return redefined;
    },
  };
}

/** Its own title and a longer one take turns. */
function otherTitle({ title }: SampleCategory, now: SampleCategory): SampleCategory['title'] {
  if (now.title !== title) return title;
  return { ru: `${title.ru} и не только`, en: `${title.en} and more` };
}
