import { cutOverParts } from '../compose/cut-over-parts.ts';
import type { Parts } from '../compose/parts.ts';
import { commandLine } from '../platform/text/command-hint.ts';
import { PermanentError, RetryableError } from '../platform/errors.ts';
import { cutOver } from '../projecting/builds/verify-and-cut-over.ts';
import { StoppedError } from '../projecting/engine/retry.ts';
import { isOlderBuild } from '../stores/build-names.ts';
import { requireAlias, rollbackTarget, type LiveAlias } from '../stores/aliases.ts';
import { buildNamed, readModelOf } from './named-builds.ts';

export interface SwitchRequest {
  /** `listings` */
  readonly name: string;
  readonly isRollback: boolean;
  /** Of a cut-over: the build to be made live; the newest one without it. */
  readonly to?: string | undefined;
  /** While the build is compared with the log. */
  readonly onProgress?: (done: number, total: number) => void;
  /** What passes by itself is waited for, and the switch tried again. Default: it is tried once. */
  readonly wait?: { readonly ms: number; readonly onRefusal: (reason: string) => void };
}

export interface SwitchReport {
  /** null where `live` was live already, and nothing was done. */
  readonly from: string | null;
  readonly live: string;
}

/** Between two attempts, in milliseconds: lanes work off what the pause has kept back. */
const REST_MS = 5000;

/**
 * Cut-over, and rollback, as an operator asks for them. Asked for again, it does nothing.
 * @throws {UsageError} where there is no such read model or build.
 * @throws {PermanentError} where the build cannot become live now, with the reason: what was live still is.
 * @throws {StoppedError} where the signal was aborted before that was decided.
 */
export async function switchTo(
  parts: Parts,
  signal: AbortSignal,
  { wait, ...request }: SwitchRequest,
): Promise<SwitchReport> {
  const { clock } = parts;
  const until = clock.monotonic() + (wait?.ms ?? 0);
  for (;;) {
    const tried = await attempt(parts, signal, request, wait !== undefined);
    if (!('reason' in tried)) return tried;
    const { reason, isFinal } = tried;
    if (signal.aborted && !isFinal) throw new StoppedError(reason);
    if (isFinal || clock.monotonic() >= until) throw new PermanentError(reason);
    wait?.onRefusal(reason);
    await clock.sleep(Math.min(REST_MS, until - clock.monotonic()), signal);
  }
}

function waitingCommand({ name, to, isRollback }: Pick<SwitchRequest, 'name' | 'to' | 'isRollback'>): string {
  const command = isRollback
    ? `builds roll-back ${name}`
    : `builds cut-over ${name}${to ? ` --to ${to}` : ''}`;
  return commandLine(`${command} --wait 5m`);
}

/** What was switched; or why not, and whether another attempt would find the same. */
async function attempt(
  parts: Parts,
  signal: AbortSignal,
  { name, to, isRollback, onProgress = () => undefined }: SwitchRequest,
  waits: boolean,
): Promise<SwitchReport | { readonly reason: string; readonly isFinal: boolean }> {
  readModelOf(parts, name);
  const alias = await requireAlias(parts.documents, name);
  const build = isRollback ? rollbackTarget(alias) : (to ?? newest(alias, name));
  const live = alias.collection;
  if (build === live) return { from: null, live };
  if (build === null)
    throw new PermanentError(`No build of ${name} was live before ${live}, or it was dropped.`);
  const target = await buildNamed(parts, alias, build);
  try {
    const done = await cutOver({ ...cutOverParts(parts, signal), onProgress }, { target, isRollback });
    if (done.outcome === 'switched') return { from: done.from, live: done.to };
    // Somebody else may have been faster, with this build or another one.
    const { collection: now } = await requireAlias(parts.documents, name);
    if (now === build) return { from: null, live: build };
    const { reason, isFinal = false } = done;
    // What was asked for may mean something else now.
    if (now !== live) return { reason: `${now} is live: ${reason}.`, isFinal };
    const hint =
      waits || isFinal ? '' : ` "${waitingCommand({ name, to, isRollback })}" waits for what passes.`;
    return { reason: `${live} is still live: ${reason}.${hint}`, isFinal };
  } catch (thrown) {
    if (waits && thrown instanceof RetryableError) return { reason: thrown.message, isFinal: false };
    throw thrown;
  }
}

/** The live one included: what is the newest is live already where somebody asks for it again. */
function newest({ beside, collection }: LiveAlias, name: string): string {
  if (beside.length > 0)
    return [collection, ...beside].reduce((best, build) => (isOlderBuild(best, build) ? build : best));
  throw new PermanentError(
    `${collection} is the only build of ${name}: "${commandLine(`builds rebuild ${name}`)}" makes another one.`,
  );
}
