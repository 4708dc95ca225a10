import { type Document, parseFilter, valuesOf } from './filter.ts';
import { type Allowance, measure, type Measure, tokens } from './matching.ts';
import { Problem } from './problem.ts';

export interface Settings {
  readonly searchableAttributes: readonly string[];
  readonly filterableAttributes: readonly string[];
  readonly sortableAttributes: readonly string[];
  readonly rankingRules: readonly string[];
  readonly typoTolerance: {
    readonly enabled: boolean;
    readonly minWordSizeForTypos: Allowance;
  };
  readonly pagination: { readonly maxTotalHits: number };
  readonly faceting: { readonly maxValuesPerFacet: number };
}

/** What an index has until it is told otherwise: https://www.meilisearch.com/docs/reference/api/settings */
const DEFAULTS: Settings = {
  searchableAttributes: ['*'],
  filterableAttributes: [],
  sortableAttributes: [],
  rankingRules: ['words', 'typo', 'proximity', 'attribute', 'sort', 'exactness'],
  typoTolerance: { enabled: true, minWordSizeForTypos: { oneTypo: 5, twoTypos: 9 } },
  pagination: { maxTotalHits: 1000 },
  faceting: { maxValuesPerFacet: 100 },
};

export interface SearchRequest {
  readonly q?: string;
  readonly filter?: string;
  readonly sort?: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
  readonly attributesToRetrieve?: readonly string[];
  readonly attributesToSearchOn?: readonly string[];
  readonly facets?: readonly string[];
}

interface Candidate {
  readonly document: Document;
  readonly measure: Measure;
}

/** One index, in memory. */
export class StoredIndex {
  readonly uid: string;
  settings: Settings = DEFAULTS;
  readonly #documents = new Map<string, Document>();
  readonly #words = new WeakMap<Document, readonly string[]>();

  constructor(uid: string) {
    this.uid = uid;
  }

  /** What is a set there is told in its own order. */
  configure(changes: Partial<Settings>): void {
    const all = { ...this.settings, ...changes };
    this.settings = { ...all, filterableAttributes: all.filterableAttributes.toSorted() };
  }

  /** All of a task's documents or none. */
  add(documents: readonly Document[]): void {
    for (const { id } of documents) {
      if (typeof id === 'string' && /^[a-zA-Z0-9_-]{1,511}$/.test(id)) continue;
      throw new Problem(
        400,
        'invalid_document_id',
        `Document identifier \`${JSON.stringify(id)}\` is invalid.`,
      );
    }
    for (const document of documents) this.#documents.set(String(document['id']), document);
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.#documents.delete(id);
  }

  search(request: SearchRequest): object {
    const { q = '', filter, sort = [], limit = 20, offset = 0, facets } = request;
    const attributes = this.#searched(request.attributesToSearchOn);
    this.#checkSort(sort);
    const holds =
      filter === undefined ? () => true : parseFilter(filter, new Set(this.settings.filterableAttributes));
    const words = tokens(q);
    const found: Candidate[] = [];
    for (const document of this.#documents.values()) {
      if (!holds(document)) continue;
      const { minWordSizeForTypos } = this.settings.typoTolerance;
      const measured = measure(words, this.#wordsOf(document, attributes), minWordSizeForTypos);
      if (measured) found.push({ document, measure: measured });
    }
    found.sort((one, other) => this.#compare(one, other, sort));
    const end = Math.min(offset + limit, this.settings.pagination.maxTotalHits);
    return {
      indexUid: this.uid,
      query: q,
      hits: found.slice(offset, end).map(({ document }) => shown(document, request)),
      limit,
      offset,
      estimatedTotalHits: Math.min(found.length, this.settings.pagination.maxTotalHits),
      processingTimeMs: 0,
      ...(facets && { facetDistribution: this.#distribution(found, facets) }),
    };
  }

  /** How often each value is there: of more than are told, those that come first. */
  #distribution(found: readonly Candidate[], facets: readonly string[]): object {
    const { filterableAttributes, faceting } = this.settings;
    const unknown = facets.find((one) => !filterableAttributes.includes(one));
    if (unknown !== undefined) {
      const message = `Attribute \`${unknown}\` is not filterable.`;
      throw new Problem(400, 'invalid_search_facets', message);
    }
    return Object.fromEntries(
      facets.map((name) => {
        const values = found.flatMap(({ document }) => [document[name] ?? []].flat().map(String)).toSorted();
        const counts = new Map<string, number>();
        for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
        return [name, Object.fromEntries([...counts].slice(0, faceting.maxValuesPerFacet))];
      }),
    );
  }

  #searched(wanted: readonly string[] | undefined): readonly string[] {
    const { searchableAttributes } = this.settings;
    if (wanted === undefined) return searchableAttributes;
    const unknown = wanted.find(
      (one) => !searchableAttributes.includes(one) && searchableAttributes[0] !== '*',
    );
    if (unknown === undefined) return searchableAttributes.filter((one) => wanted.includes(one));
    const message = `Attribute \`${unknown}\` is not searchable.`;
    throw new Problem(400, 'invalid_search_attributes_to_search_on', message);
  }

  #checkSort(sort: readonly string[]): void {
    const unknown = sort.find((one) => !this.settings.sortableAttributes.includes(one.split(':')[0] ?? ''));
    if (unknown === undefined) return;
    throw new Problem(400, 'invalid_search_sort', `Attribute \`${unknown}\` is not sortable.`);
  }

  #wordsOf(document: Document, attributes: readonly string[]): readonly string[] {
    const known = this.#words.get(document);
    if (known) return known;
    const texts = attributes.flatMap((name) => valuesOf(document[name]));
    const words = texts.flatMap((text) => tokens(String(text)));
    this.#words.set(document, words);
    return words;
  }

  /** Rule after rule; equal for all of them, in the order of arrival. */
  #compare(one: Candidate, other: Candidate, sort: readonly string[]): number {
    const rules = this.settings.rankingRules.flatMap((rule) => (rule === 'sort' ? sort : [rule]));
    for (const rule of rules) {
      const order = orderBy(rule, one, other);
      if (order !== 0) return order;
    }
    return 0;
  }
}

function shown(document: Document, { attributesToRetrieve }: SearchRequest): Document {
  const wanted = attributesToRetrieve ?? Object.keys(document);
  return Object.fromEntries(wanted.map((name) => [name, document[name]]));
}

function orderBy(rule: string, one: Candidate, other: Candidate): number {
  const [attribute = '', direction] = rule.split(':');
  if (direction !== undefined) {
    return compare(one.document[attribute], other.document[attribute]) * (direction === 'desc' ? -1 : 1);
  }
  if (rule === 'typo') return one.measure.slips - other.measure.slips;
  return rule === 'exactness' ? one.measure.unfinished - other.measure.unfinished : 0;
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : Number(String(one) > String(other));
}
