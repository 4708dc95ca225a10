import { setTimeout as pause } from 'node:timers/promises';

import { patiently } from './patiently.ts';
import type { Running } from './process.ts';

/**
 * A reader that never rests while builds are switched: it asks every process for the top, for a search and for a listing, one
 * request after the other, and tells by which of two formulas each answer was made. Every entry has one score by
 * each of them.
 */
export type Scores = ReadonlyMap<string, number>;

export interface ScoreReader {
  /** From now on asks this process too, after what was known of another one at its place is forgotten. */
  open(place: string, url: string, process: Pick<Running, 'printed'>): void;
  /** Resolves once no request of it is on its way. */
  close(place: string): Promise<void>;
  /** Whether every place that is open answers with the entry. */
  shows(slug: string): Promise<boolean>;
  /** The formula of the last answer of each place that is open; null before the first. */
  seen(): Readonly<Record<string, Formula | null>>;
  /**
   * What should not be: requests that failed, answers of both formulas or of none, a step back. A request that found the stores
   * of a busy machine too slow, by the log of its process, has not failed: it is made again.
   */
  readonly faults: readonly string[];
  /** How many answers were looked at. */
  readonly answers: number;
  stop(): Promise<void>;
}

export type Formula = 'old' | 'new';

interface Place {
  readonly url: string;
  readonly process: Pick<Running, 'printed'>;
  formula: Formula | null;
  isOver: boolean;
  ended: Promise<void>;
}

export interface ScoreReaderOptions {
  /** Of the formulas by their names; both may get more entries. */
  readonly scores: Readonly<Record<Formula, Scores>>;
  /** One is used until its day is used up. */
  readonly keys: string[];
  /** What all entries are found by. */
  readonly q: string;
  /** The formula that readers are to come to, where a switch is under way or done; they may not turn back from it. */
  readonly goal: () => Formula;
}

export interface Item {
  readonly slug: string;
  readonly score: { readonly value: number };
}

/** The first ones tell what is wrong. */
const MOST_FAULTS = 10;

export function readScores({ scores, keys, q, goal }: ScoreReaderOptions): ScoreReader {
  const places = new Map<string, Place>();
  const faults: string[] = [];
  let answers = 0;

  function found(fault: string): void {
    if (faults.length < MOST_FAULTS) faults.push(fault);
  }

  async function ask({ url, process }: Place, path: string): Promise<unknown> {
    for (;;) {
      const [key = ''] = keys;
      const headers = { 'x-api-key': key };
      const response = await patiently(() => fetch(`${url}/api/v1${path}`, { headers }), process);
      if (response.status === 200) return await response.json();
      const text = await response.text();
      if (response.status !== 429) throw new Error(`${response.status} ${text}`);
      if (keys[0] === key) keys.shift();
      if (keys.length === 0) throw new Error('Every key has used up its day');
    }
  }

  async function look(place: Place, path: string): Promise<void> {
    const before = goal();
    const items = itemsOf(await ask(place, path));
    const formulas = new Set(items.flatMap((item) => formulaOf(item) ?? []));
    answers += 1;
    const shown = `${path}: ${items.map(({ slug, score }) => `${slug} ${score.value}`).join(', ')}`;
    if (items.length === 0) found(`${path} lists nothing`);
    if (formulas.has('none')) found(`of no formula: ${shown}`);
    if (formulas.has('old') && formulas.has('new')) found(`mixed: ${shown}`);
    const [formula] = formulas;
    if (formula !== 'old' && formula !== 'new') return;
    const isBack = place.formula === goal() && formula !== place.formula && before === goal();
    if (isBack) found(`back to the ${formula} formula: ${shown}`);
    place.formula = formula;
  }

  /** null for an entry that is not known yet. */
  function formulaOf({ slug, score: { value } }: Item): Formula | 'none' | null {
    const [old, fresh] = [scores.old.get(slug), scores.new.get(slug)];
    if (old === undefined || fresh === undefined) return null;
    return value === old ? 'old' : value === fresh ? 'new' : 'none';
  }

  async function run(place: Place): Promise<void> {
    for (let turn = 0; !place.isOver; turn += 1) {
      const slugs = [...scores.new.keys()];
      const slug = slugs[turn % slugs.length];
      const paths = ['/top?limit=100', `/search?q=${q}&limit=50`];
      for (const path of slug === undefined ? paths : [...paths, `/listings/${slug}`]) {
        if (place.isOver) return;
        await look(place, path).catch((thrown: unknown) => found(`${path}: ${String(thrown)}`));
      }
      // Others work on this machine as well.
      await pause(10);
    }
  }

  async function close(name: string): Promise<void> {
    const place = places.get(name);
    if (!place) return;
    place.isOver = true;
    await place.ended;
    places.delete(name);
  }

  return {
    open: (name, url, process) => {
      const place: Place = { url, process, formula: null, isOver: false, ended: Promise.resolve() };
      place.ended = run(place);
      places.set(name, place);
    },
    close,
    shows: async (slug) => {
      for (const { url } of places.values()) {
        const response = await fetch(`${url}/api/v1/listings/${slug}`, {
          headers: { 'x-api-key': keys[0] ?? '' },
        });
        await response.arrayBuffer();
        if (response.status !== 200) return false;
      }
      return true;
    },
    seen: () => Object.fromEntries([...places].map(([name, { formula }]) => [name, formula])),
    faults,
    get answers() {
      return answers;
    },
    stop: async () => {
      for (const name of places.keys()) await close(name);
    },
  };
}

function itemsOf(body: unknown): readonly Item[] {
  const { items } = body as { readonly items?: readonly Item[] };
  return items ?? [body as Item];
}
