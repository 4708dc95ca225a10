import { type Document, parseFilter } from './filter.ts';
import { asked, measure, tokens, type Field, type Measure } from './matching.ts';
import { Problem } from './problem.ts';

export interface Settings {
  readonly searchableAttributes: readonly string[];
  readonly filterableAttributes: readonly string[];
  readonly sortableAttributes: readonly string[];
  readonly displayedAttributes: readonly string[];
  readonly rankingRules: readonly string[];
  readonly typoTolerance: {
    readonly enabled: boolean;
    readonly minWordSizeForTypos: { readonly oneTypo: number; readonly twoTypos: number };
    readonly disableOnAttributes: readonly string[];
  };
  readonly pagination: { readonly maxTotalHits: number };
  readonly faceting: { readonly maxValuesPerFacet: number };
}

/** What an index has until it is told otherwise: https://www.meilisearch.com/docs/reference/api/settings */
const DEFAULTS: Settings = {
  searchableAttributes: ['*'],
  filterableAttributes: [],
  sortableAttributes: [],
  displayedAttributes: ['*'],
  rankingRules: ['words', 'typo', 'proximity', 'attribute', 'sort', 'exactness'],
  typoTolerance: { enabled: true, minWordSizeForTypos: { oneTypo: 5, twoTypos: 9 }, disableOnAttributes: [] },
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

const NOTHING_ASKED: Measure = { slips: 0, attributes: 0, unfinished: 0 };

/** One index, in memory. */
export class StoredIndex {
  readonly uid: string;
  settings: Settings = DEFAULTS;
  readonly #documents = new Map<string, Document>();
  readonly #fields = new WeakMap<Document, Map<string, readonly string[]>>();

  constructor(uid: string) {
    this.uid = uid;
  }

  /** What is a set there is told in its own order. */
  configure(changes: Partial<Settings>): void {
    const { typoTolerance, filterableAttributes, ...others } = { ...this.settings, ...changes };
    const disableOnAttributes = typoTolerance.disableOnAttributes.toSorted();
    this.settings = {
      ...others,
      filterableAttributes: filterableAttributes.toSorted(),
      typoTolerance: { ...typoTolerance, disableOnAttributes },
    };
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
    const query = asked(q);
    const isAsked = query.words.length + query.phrases.length + query.banned.length > 0;
    const found: Candidate[] = [];
    for (const document of this.#documents.values()) {
      if (!holds(document)) continue;
      const measured = isAsked
        ? measure(
            query,
            this.#fieldsOf(document, attributes),
            this.settings.typoTolerance.minWordSizeForTypos,
          )
        : NOTHING_ASKED;
      if (measured) found.push({ document, measure: measured });
    }
    found.sort((one, other) => this.#compare(one, other, sort));
    const end = Math.min(offset + limit, this.settings.pagination.maxTotalHits);
    return {
      indexUid: this.uid,
      query: q,
      hits: found.slice(offset, end).map((candidate) => this.#shown(candidate, request)),
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

  #fieldsOf(document: Document, attributes: readonly string[]): readonly Field[] {
    const known = this.#fields.get(document) ?? new Map<string, readonly string[]>();
    this.#fields.set(document, known);
    const names = attributes[0] === '*' ? Object.keys(document) : attributes;
    return names.map((name) => {
      const words = known.get(name) ?? [document[name]].flat().flatMap((text) => tokens(String(text)));
      known.set(name, words);
      return { words, allowsSlips: !this.settings.typoTolerance.disableOnAttributes.includes(name) };
    });
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

  #shown(
    { document, measure: { slips, attributes, unfinished } }: Candidate,
    request: SearchRequest,
  ): object {
    const { displayedAttributes } = this.settings;
    const wanted = request.attributesToRetrieve ?? Object.keys(document);
    const shown = wanted.filter(
      (name) => displayedAttributes[0] === '*' || displayedAttributes.includes(name),
    );
    return {
      ...Object.fromEntries(shown.map((name) => [name, document[name]])),
      _rankingScore: 1 / (1 + unfinished + 20 * attributes + 1000 * slips),
      _rankingScoreDetails: { typo: { order: 1, typoCount: slips, maxTypoCount: slips, score: 1 } },
    };
  }
}

function orderBy(rule: string, one: Candidate, other: Candidate): number {
  const [attribute = '', direction] = rule.split(':');
  if (direction !== undefined) {
    return compare(one.document[attribute], other.document[attribute]) * (direction === 'desc' ? -1 : 1);
  }
  if (rule === 'typo') return one.measure.slips - other.measure.slips;
  if (rule === 'attribute') return one.measure.attributes - other.measure.attributes;
  return rule === 'exactness' ? one.measure.unfinished - other.measure.unfinished : 0;
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : Number(String(one) > String(other));
}
