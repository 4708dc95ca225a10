/**
 * Registers: what a document's state is made of. Every register's `join` is idempotent, commutative and associative,
 * so that any order, any repetition and any grouping of the same events end in the same state.
 */
export interface Register<State> {
  /** The state before any event; the neutral element of `join`. */
  readonly empty: State;
  /** The state that holds both. Returns `a` itself, the same reference, where `b` adds nothing to it. Pure. */
  join(a: State, b: State): State;
  /** How many values of `b` stand at the same revision as another value in `a`: upstream contradicting itself. */
  conflicts(a: State, b: State): number;
}

/** A value with what decides between it and another one. */
export interface RegisterValue<Value> {
  /** What decides first: a revision, or an instant (UTC, milliseconds always there, so that text order is time order). */
  readonly at: number | string;
  /**
   * What decides last: the first 32 hexadecimal digits of the event's digest. Enough to order any two events as their
   * whole digests would, and half the size in every document.
   */
  readonly digest: string;
  /** The event's own time, where a view shows it or a tombstone must keep it. */
  readonly time?: string;
  /** null is a tombstone: unpublished, removed. At the same `at` it beats any value. */
  readonly value: Value | null;
}

/** The part of an event's digest that a register keeps. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 32);
}

/** Last writer wins: by `at`, then a tombstone over a value, then the value of the higher `rank`, then the greater digest. */
export function lastWriterWins<Value>(rank: Rank<Value> = () => 0): Register<RegisterValue<Value> | null> {
  const compareWritten = comparison(rank);
  return {
    empty: null,
    join: (a, b) => (b === null || (a !== null && compareWritten(a, b) >= 0) ? a : b),
    conflicts: (a, b) => (a !== null && b !== null && a.at === b.at && a.digest !== b.digest ? 1 : 0),
  };
}

/** What decides between two values at the same `at`. Of the value alone: the same in every order of events. */
type Rank<Value> = (value: Value, at: number | string) => number;

function comparison<Value>(rank: Rank<Value>): (a: RegisterValue<Value>, b: RegisterValue<Value>) => number {
  return (a, b) => {
    if (a.at !== b.at) return a.at < b.at ? -1 : 1;
    const tombstones = Number(a.value === null) - Number(b.value === null);
    if (tombstones !== 0) return tombstones;
    if (a.digest === b.digest) return 0;
    const ranks = a.value === null || b.value === null ? 0 : rank(a.value, a.at) - rank(b.value, b.at);
    if (ranks !== 0) return ranks;
    return a.digest < b.digest ? -1 : 1;
  };
}

/** A map whose keys are joined one by one. A key appears with its first value and never disappears. */
export function keyed<State>(register: Register<State>): Register<Readonly<Record<string, State>>> {
  return {
    empty: {},
    join: (a, b) => {
      let joined: Record<string, State> | undefined;
      for (const [key, theirs] of Object.entries(b)) {
        const ours = own(a, key, register.empty);
        const both = register.join(ours, theirs);
        if (both === ours && Object.hasOwn(a, key)) continue;
        joined ??= { ...a };
        joined[key] = both;
      }
      return joined ?? a;
    },
    conflicts: (a, b) => {
      let count = 0;
      for (const [key, theirs] of Object.entries(b)) {
        count += register.conflicts(own(a, key, register.empty), theirs);
      }
      return count;
    },
  };
}

function own<State>(map: Readonly<Record<string, State>>, key: string, otherwise: State): State {
  // Keys come from events: `constructor` must not find what every object inherits.
  return Object.hasOwn(map, key) ? (map[key] as State) : otherwise;
}

/** Several registers side by side, joined field by field. */
export function record<State extends object>(fields: {
  readonly [Field in keyof State]: Register<State[Field]>;
}): Register<State> {
  const names = Object.keys(fields) as (keyof State)[];
  const empty = Object.fromEntries(names.map((name) => [name, fields[name].empty])) as State;
  return {
    empty,
    join: (a, b) => {
      let joined: State | undefined;
      for (const name of names) {
        const both = fields[name].join(a[name], b[name]);
        if (both === a[name]) continue;
        joined ??= { ...a };
        joined[name] = both;
      }
      return joined ?? a;
    },
    conflicts: (a, b) => names.reduce((sum, name) => sum + fields[name].conflicts(a[name], b[name]), 0),
  };
}
