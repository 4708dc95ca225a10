import type { Gathered } from './gathering.ts';
import { Unwritable } from './join-documents.ts';
import { serialKey, type LaneId } from './lane.ts';
import type { Register } from './register.ts';
import type { SerialQueue } from './serial-queue.ts';

/*
 * Lanes that are behind write in passes: those of one partition number share documents (the same key has the same
 * partition number on every topic), so what they have gathered is written together, each document once for all of them.
 *
 *   waiting --its build's turn to gather--> gathering --a writer is free--> writing --> checkpointed, each by itself
 *
 * One pass of a build gathers at a time while those before it are written: so what is held in memory stays bounded.
 */
export interface Passes {
  /** Gathers, joins and finishes the lane's part, with those of others. Resolves, or throws, as the part itself would. */
  take(lane: LaneId, part: Part): Promise<void>;
}

/** What one lane has to do with a pass. */
export interface Part {
  readonly registers: Register<unknown>;
  /** How many passes of its build may be written at a time. */
  readonly writers: number;
  gather(): Promise<Gathered>;
  /** Between gathering and joining. @throws where the lane is no longer this worker's. */
  requireOwn(): Promise<void>;
  /** Joins these to the documents. @throws {Unwritable} where one of them cannot be written. */
  join(added: ReadonlyMap<string, unknown>): Promise<void>;
  /** Once the effects are durable. */
  finish(gathered: Gathered): Promise<void>;
}

interface Waiting {
  readonly part: Part;
  readonly done: PromiseWithResolvers<void>;
}

interface Ready extends Waiting {
  readonly gathered: Gathered;
}

export function createPasses(queue: SerialQueue): Passes {
  const waiting = new Map<string, Waiting[]>();

  return {
    async take(lane, part) {
      const done = Promise.withResolvers<void>();
      const others = waiting.get(serialKey(lane));
      if (others) others.push({ part, done });
      else {
        waiting.set(serialKey(lane), [{ part, done }]);
        void queue.run(`gathering ${lane.readModel}`, () => pass(lane, part.writers));
      }
      await done.promise;
    },
  };

  /** Resolves when the next one may gather. */
  async function pass(lane: LaneId, writers: number): Promise<void> {
    const ready = await gatherAll(serialKey(lane));
    if (ready.length === 0) return;
    const begun = Promise.withResolvers<void>();
    void queue.run(`writing ${lane.readModel}/${lane.partition % writers}`, async () => {
      begun.resolve();
      await queue.run(serialKey(lane), () => write(ready));
    });
    await begun.promise;
  }

  /** Of all lanes that wait, those too that come meanwhile. */
  async function gatherAll(key: string): Promise<readonly Ready[]> {
    const ready: Ready[] = [];
    const mine = waiting.get(key) ?? [];
    for (let next = mine.shift(); next; next = mine.shift()) {
      try {
        ready.push({ ...next, gathered: await next.part.gather() });
      } catch (thrown) {
        next.done.reject(thrown);
      }
    }
    waiting.delete(key);
    return ready;
  }
}

/** Every part is settled by it. */
async function write(ready: readonly Ready[]): Promise<void> {
  let left = await settling(ready, ({ part }) => part.requireOwn());
  for (let [first] = left; first; [first] = left) {
    try {
      await first.part.join(together(left));
      break;
    } catch (thrown) {
      // Joining is done by one for all. What ends its work alone (its partition was taken away) does not end that of others.
      const isAll = thrown instanceof Unwritable;
      for (const { done } of isAll ? left : [first]) done.reject(thrown);
      left = isAll ? [] : left.slice(1);
    }
  }
  for (const { done } of await settling(left, ({ part, gathered }) => part.finish(gathered))) done.resolve();
}

/** Those that it succeeds for; the others are told why not. */
async function settling(
  some: readonly Ready[],
  work: (one: Ready) => Promise<void>,
): Promise<readonly Ready[]> {
  const succeeded: Ready[] = [];
  for (const one of some) {
    try {
      await work(one);
      succeeded.push(one);
    } catch (thrown) {
      one.done.reject(thrown);
    }
  }
  return succeeded;
}

function together(some: readonly Ready[]): ReadonlyMap<string, unknown> {
  const [first, ...others] = some;
  if (!first || others.length === 0) return first?.gathered.added ?? new Map();
  const { registers } = first.part;
  const all = new Map(first.gathered.added);
  for (const { gathered } of others) {
    for (const [id, added] of gathered.added) {
      const known = all.get(id);
      all.set(id, known === undefined ? added : registers.join(known, added));
    }
  }
  return all;
}
