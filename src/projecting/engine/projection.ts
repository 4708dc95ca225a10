import type { Decode } from '../../events/decode.ts';
import type { CatalogEvent } from '../../events/event.ts';
import { buildName } from '../../stores/build-names.ts';
import type { CollectionSpec, Index } from '../../stores/documents/port.ts';
import { OUTBOX_INDEX, type OutboxDocument } from '../../stores/outbox.ts';
import type { SearchEntry } from '../../stores/search/port.ts';
import type { Register } from './register.ts';

/**
 * A read model, as a plain value: which events it is made of, which document each one belongs to, how a document's
 * registers take it in, and what is computed from them. Everything in it is pure: no I/O, no clock, no randomness.
 */
export interface Projection<Registers = unknown, View = unknown> {
  /** `[a-z]+`; with the version it names the collection: `listings@1`. */
  readonly name: string;
  /** Raised with every change of the fold; one that makes other documents under an old version is refused at start. */
  readonly version: number;
  /** Which build of the version it is stored as: `b2`, or the name of a shadow. Absent for the first one. */
  readonly build?: string;
  /** How its events are decoded, where that is not how this release decodes them: a fold of an earlier release. */
  readonly decode?: Decode;
  /** The topics it reads. */
  readonly topics: readonly string[];
  /** How the registers of a document are joined. */
  readonly registers: Register<Registers>;
  /** What the views are found and ordered by. */
  readonly indexes: readonly Index[];
  /** The document an event belongs to; null where the event is none of this projection's. */
  documentId(event: CatalogEvent): string | null;
  /** The registers of a document that has seen this event alone. `evolve` joins them to what is there. */
  contribution(event: CatalogEvent): Registers;
  /** What readers see: computed from the registers at each write, and stored beside them. */
  view(id: string, registers: Registers): View;
  /**
   * The registers without what lies outside the read model's windows (days older than any view shows). Sweeps remove
   * it and verification ignores it; the fold itself never drops anything for its age.
   */
  trim(registers: Registers): Registers;
  /**
   * Given the ids of all documents, those that lie outside the windows as a whole. Absent where none ever does. What a
   * window ends with must be an id that is not outside itself.
   */
  outside?(ids: readonly string[]): Iterable<string>;
  /**
   * What the search index holds of a document; null where readers see none of it. Absent where the read model is not
   * searched. The entry's id is the document's.
   */
  searchEntry?(id: string, view: View): SearchEntry | null;
  /**
   * Whether there is an entry of a view, and whether two views of a document have the same one, said without making
   * entries: that takes long, and most writes ask nothing else. Given both or neither; of no view may it throw. Absent, entries are made.
   */
  readonly entries?: {
    has(view: View): boolean;
    same(id: string, a: View, b: View): boolean;
  };
}

/** What is stored under a document's id; its version stands beside it. */
export interface ReadModelDocument<Registers = unknown, View = unknown> extends OutboxDocument {
  readonly registers: Registers;
  readonly view: View;
}

/** A document's registers after one more event: a join, so order, repetition and grouping do not matter. */
export function evolve<Registers>(
  projection: Projection<Registers>,
  registers: Registers,
  event: CatalogEvent,
): Registers {
  return projection.registers.join(registers, projection.contribution(event));
}

type BuildName = Pick<Projection, 'name' | 'version' | 'build'>;

/** The collection of a build of a projection's version: `listings@1`, `listings@1-b2`. */
export function collectionOf(projection: BuildName): string {
  return buildName(projection);
}

/** The search index of a projection's version, named like its collection; null where it has none. */
export function indexOf(projection: BuildName & Pick<Projection, 'searchEntry'>): string | null {
  return projection.searchEntry ? collectionOf(projection) : null;
}

/** Those of the projections that are searched. */
export function searchedProjections(projections: readonly Projection[]): readonly Projection[] {
  return projections.filter((projection) => projection.searchEntry !== undefined);
}

/** What a build needs of the documents store. */
export function collectionSpec(projection: Projection): CollectionSpec {
  const isSearched = projection.searchEntry !== undefined;
  return {
    name: collectionOf(projection),
    indexes: [...projection.indexes, ...(isSearched ? [OUTBOX_INDEX] : [])],
  };
}
