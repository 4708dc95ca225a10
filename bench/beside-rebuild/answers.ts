import { setTimeout as pause } from 'node:timers/promises';

/** What one request was answered with, and when, by `performance.now()`. */
export interface Answer {
  readonly path: string;
  readonly askedAt: number;
  readonly answeredAt: number;
  /** 0 where the connection failed. */
  readonly status: number;
  /** Of the entries in it. */
  readonly scores: ReadonlyMap<string, number>;
}

export interface Reader {
  /** Everything so far, in the order of the questions. */
  readonly answers: readonly Answer[];
  stop(): Promise<void>;
}

interface ReaderOptions {
  readonly port: number;
  /** Each is good for 1,000 requests. */
  readonly keys: readonly string[];
  /** What it searches for; the hits have to be many. */
  readonly queries: readonly string[];
}

interface Item {
  readonly slug: string;
  readonly score: { readonly value: number };
}

const REQUESTS_OF_A_KEY = 900;
/** It only looks; others make the load. */
const REST_MS = 100;

/** Asks for the top, for a search, and for one listing of each of the two, one after the other, until it is stopped. */
export function startReader({ port, keys, queries }: ReaderOptions): Reader {
  const answers: Answer[] = [];
  let isOver = false;

  async function ask(path: string): Promise<Answer> {
    const key = keys[Math.floor(answers.length / REQUESTS_OF_A_KEY)] ?? '';
    const askedAt = performance.now();
    const [status, items] = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      headers: { 'x-api-key': key },
    }).then(
      async (response): Promise<[number, readonly Item[]]> => [
        response.status,
        itemsOf(await response.json()),
      ],
      (): [number, readonly Item[]] => [0, []],
    );
    const scores = new Map(items.map(({ slug, score }) => [slug, score.value]));
    const answer = { path, askedAt, answeredAt: performance.now(), status, scores };
    answers.push(answer);
    return answer;
  }

  async function run(): Promise<void> {
    for (let turn = 0; !isOver; turn += 1) {
      const top = await ask('/top?limit=100');
      const query = encodeURIComponent(queries[turn % queries.length] ?? '');
      const found = await ask(`/search?q=${query}&limit=50`);
      for (const { scores } of [top, found]) {
        const slugs = [...scores.keys()];
        const slug = slugs[turn % Math.max(1, slugs.length)];
        if (slug !== undefined) await ask(`/listings/${slug}`);
      }
      await pause(REST_MS);
    }
  }

  const running = run();
  return {
    answers,
    stop: () => {
      isOver = true;
      return running;
    },
  };
}

function itemsOf(body: unknown): readonly Item[] {
  const { items, slug } = body as { readonly items?: readonly Item[]; readonly slug?: string };
  return items ?? (slug === undefined ? [] : [body as Item]);
}
