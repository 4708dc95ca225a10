import { CHECKPOINTS, type Checkpoint } from '../../src/projecting/engine/lane.ts';
import type { BuildGate } from '../../src/projecting/engine/lane-context.ts';
import { PARKED, type ParkedEvent } from '../../src/projecting/engine/parking.ts';
import type { Documents, ReadOptions, Stored, Write } from '../../src/stores/documents/port.ts';
import { ALIASES, type Alias } from '../../src/stores/aliases.ts';
import { STORE_LIMIT_MS } from '../../src/stores/time-limit.ts';
import { changing, withoutGuard } from './planted-documents.ts';
import { overriding } from '../support/overriding.ts';

/** Lanes, watches and commands that do what a planted bug would do while builds are switched. */

/** A lane that says it is quiet, and goes on. */
export function ignoringPauses(gate: BuildGate): BuildGate {
  let asked = 0;
  return overriding(gate, {
    pauseOf: (build) => {
      asked += 1;
      return asked % 3 === 0 ? gate.pauseOf(build) : null;
    },
  });
}

/** A command that takes every lane of a build that is not live to be at the end of the log. */
export function notComparingPositions(documents: Documents): Documents {
  let live = '';
  return {
    ...withCheckpoints(documents, (one) => ({
      ...one,
      position: one.readModel === live ? one.position : 1e9,
    })),
    get: async <Body>(collection: string, ids: readonly string[]) => {
      const found = await documents.get<Body>(collection, ids);
      if (collection === ALIASES.name)
        live = [...found.values()].map(({ body }) => (body as Alias).collection)[0] ?? '';
      return found;
    },
  };
}

/** A command that sees the checkpoints otherwise than they are. */
function withCheckpoints(documents: Documents, change: (checkpoint: Checkpoint) => Checkpoint): Documents {
  async function* scan<Body>(collection: string): AsyncGenerator<readonly Stored<Body>[]> {
    for await (const batch of documents.scan<Body>(collection)) {
      if (collection !== CHECKPOINTS.name) yield batch;
      else yield batch.map((one) => ({ ...one, body: change(one.body as Checkpoint) as Body }));
    }
  }
  return { ...documents, scan };
}

/** A command that makes a build live whether its pause still stands or not. */
export function switchingLate(documents: Documents): Documents {
  let own: Alias['pause'] = null;
  const unguarded = withoutGuard(documents, ALIASES.name);
  return {
    ...unguarded,
    write: async (collection, writes, options) => {
      const [pause] = writes.map(({ body }) => (collection === ALIASES.name ? (body as Alias).pause : null));
      own = pause ?? own;
      return unguarded.write(collection, writes, options);
    },
    get: async <Body>(collection: string, ids: readonly string[]) => {
      const found = await documents.get<Body>(collection, ids);
      if (collection !== ALIASES.name || own === null) return found;
      return new Map([...found].map(([id, one]) => [id, { ...one, body: { ...one.body, pause: own } }]));
    },
  };
}

/** A command that keeps the build that was live quiet for less than an alias counts and a request may take together. */
export function endingThePauseEarly(documents: Documents): Documents {
  let live = '';
  let now = 0;
  const loud = <Body>(write: Write<Body>): Write<Body> => {
    const alias = write.body as Alias;
    if (alias.collection === live || alias.pause === null) return write;
    const pause = { ...alias.pause, until: now + STORE_LIMIT_MS };
    return { ...write, body: { ...alias, pause } as Body };
  };
  return {
    ...documents,
    now: async () => (now = await documents.now()),
    write: (collection, writes, options) =>
      documents.write(collection, collection === ALIASES.name ? writes.map(loud) : writes, options),
    get: async <Body>(collection: string, ids: readonly string[]) => {
      const found = await documents.get<Body>(collection, ids);
      if (collection === ALIASES.name)
        live = [...found.values()].map(({ body }) => (body as Alias).collection)[0] ?? '';
      return found;
    },
  };
}

/** A command that knows of no pause. */
export function withoutPause(documents: Documents): Documents {
  return {
    ...documents,
    get: async <Body>(collection: string, ids: readonly string[], options?: ReadOptions) => {
      const found = await documents.get<Body>(collection, ids, options);
      if (collection !== ALIASES.name) return found;
      return new Map([...found].map(([id, one]) => [id, { ...one, body: { ...one.body, pause: null } }]));
    },
  };
}

/** A command that redrives without a word before. */
export const withoutNote = (documents: Documents): Documents => parkingWithout(documents, 'redriving');

/** Lanes that park without a note that upstream has to be told. */
export const forgettingAnnouncements = (documents: Documents): Documents =>
  parkingWithout(documents, 'unannounced');

function parkingWithout(documents: Documents, key: keyof ParkedEvent): Documents {
  return changing(documents, PARKED.name, async (write: Write<object>) => {
    const { [key]: _left, ...body } = write.body as ParkedEvent;
    return { ...write, body };
  });
}

/** A command that does not look at the target's index. */
export function notAskingTheIndex(documents: Documents): Documents {
  return { ...documents, count: async () => [] };
}

/** A command that forgets some of what is stored of a build. */
export function forgettingCheckpoints(documents: Documents): Documents {
  return {
    ...documents,
    remove: async (collection, removals) =>
      collection === CHECKPOINTS.name ? removals.map(() => 'done') : documents.remove(collection, removals),
  };
}
