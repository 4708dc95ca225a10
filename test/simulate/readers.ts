import { RetryableError } from '../../src/platform/errors.ts';
import { ALIAS_MS } from '../../src/stores/aliases.ts';
import { STORE_LIMIT_MS } from '../../src/stores/time-limit.ts';
import type { ReadModelDocument } from '../../src/projecting/engine/projection.ts';
import { aliasIn } from './aliases.ts';
import { revisionOf } from './expected.ts';
import type { Registers } from './notes-and-marks.ts';
import { lanesOf, parkedFacts, require } from './promises.ts';
import { bodyOf } from './simulated-documents.ts';
import type { Stage } from './stage.ts';
import { createWorker, type Worker } from './worker.ts';

/*
 * Readers follow the alias as an instance of the API does: what it says counts for a moment, and every request is given its
 * answer, but where stores took longer for it than they may. What one of them has seen of a document it never sees go back.
 */

const IDS = ['a', 'b', 'd'] as const;
const PAUSE_MS = 150;
/** How often stores take nearly as long for a request as they may. */
const LATE = 0.3;

export function startReader(stage: Stage, name: string): Worker {
  const worker = createWorker(stage.world, name);
  read(stage, worker).catch((thrown: unknown) => stage.broken.push(thrown as Error));
  return worker;
}

async function read(stage: Stage, worker: Worker): Promise<void> {
  const { world, documents } = stage;
  const seen = new Map<string, number>();
  let alias: { readonly build: string; readonly at: number } | null = null;
  for (;;) {
    await worker.clock.sleep(PAUSE_MS);
    const asked = world.now();
    try {
      if (alias === null || world.now() - alias.at >= ALIAS_MS) {
        const at = world.now();
        alias = { at, build: await worker.call('alias read', () => aliasIn(documents).collection) };
      }
      const { build } = alias;
      const id = world.pick(IDS);
      const lateMs = world.chance(LATE) ? STORE_LIMIT_MS * (0.75 + 0.25 * world.random()) : 0;
      const registers = await worker.call('document read', () => registersOf(stage, build, id), lateMs);
      if (world.now() - asked > STORE_LIMIT_MS) continue;
      for (const mark of [null, ...Object.keys(registers?.marks ?? {}), ...marksOf(seen, id)]) {
        const revision = revisionOf(registers, mark);
        const before = seen.get(`${id} ${mark}`) ?? -1;
        require(revision >= before ||
          hasParked(stage, build, {
            id,
            mark,
            revision: before,
          }), `readers go forward: ${worker.name} saw ${mark ?? 'the note'} of ${id} at ${before}, and now at ${revision} in ${build}`);
        seen.set(`${id} ${mark}`, revision);
      }
    } catch (thrown) {
      if (!(thrown instanceof RetryableError)) throw thrown;
    }
  }
}

/** As a majority holds them. */
function registersOf({ documents }: Stage, build: string, id: string): Registers | undefined {
  return (bodyOf(documents, build, id) as ReadModelDocument<Registers> | undefined)?.registers;
}

/**
 * Whether this build has parked what readers have seen in another one: its lane met the event while the release did not know
 * it yet, that of the other build later. The switch tells upstream of it, and a redrive makes it good.
 */
function hasParked(
  { documents, log }: Stage,
  build: string,
  { id, mark, revision }: { id: string; mark: string | null; revision: number },
): boolean {
  return lanesOf(build).some((lane) =>
    parkedFacts(log, documents, lane).some(
      (fact) => fact.id === id && fact.mark === mark && Number(fact.written.at) === revision,
    ),
  );
}

function marksOf(seen: ReadonlyMap<string, number>, id: string): readonly string[] {
  return [...seen.keys()]
    .filter((key) => key.startsWith(`${id} mark`))
    .map((key) => key.slice(id.length + 1));
}
