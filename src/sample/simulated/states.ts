import { toInstant, type Instant } from '../../platform/instant.ts';
import { readCategories, type SampleCategory } from '../catalog.ts';
import { oneOf, type Random } from '../random.ts';
import { PARTS, type Part } from './content.ts';

/** What is kept of each simulated entry, by its number: some 40 bytes, for there may be a million of them. */
interface States {
  /** An entry is first published then (Unix milliseconds). */
  begin(entry: number, ms: number): void;
  firstPublished(entry: number): Instant;
  isPublished(entry: number): boolean;
  /** How often a part was edited. */
  edits(entry: number, part: Part): number;
  edit(entry: number, part: Part): void;
  /** The revision of this publish, one above the last. */
  publish(entry: number): number;
  /** The revision of this unpublish, one above the last. */
  unpublish(entry: number): number;
}

export function createStates(entries: number): States {
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
    begin: (entry, ms) => {
      since[entry] = ms;
    },
    firstPublished: (entry) => {
      const instant = toInstant(since[entry] ?? 0);
      if (instant === null) throw new RangeError(`Entry ${entry} is from beyond the calendar`);
      return instant;
    },
    isPublished: (entry) => published[entry] === 1,
    edits: (entry, part) => edits[place(entry, part)] ?? 0,
    edit: (entry, part) => {
      edits[place(entry, part)] = (edits[place(entry, part)] ?? 0) + 1;
    },
    publish: (entry) => revise(entry, 1),
    unpublish: (entry) => revise(entry, 0),
  };
}

/** The sample's taxonomy, whose definitions change now and then. */
export interface Taxonomy {
  readonly first: readonly SampleCategory[];
  /** Renames a category, or moves one without children below another. No cycle can come of it. */
  change(random: Random): Redefined;
}

interface Redefined {
  readonly category: SampleCategory;
  readonly revision: number;
}

export function createTaxonomy(): Taxonomy {
  const first = readCategories();
  const parents = new Set(first.map(({ parent }) => parent));
  const roots = first.filter(({ parent }) => parent === null).map(({ slug }) => slug);
  const current = new Map(first.map((category) => [category.slug, { category, revision: 1 }]));
  return {
    first,
    change: (random) => {
      const original = oneOf(random, first as [SampleCategory, ...SampleCategory[]]);
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
