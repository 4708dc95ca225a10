import { cutOverParts } from '../compose/cut-over-parts.ts';
import type { Parts } from '../compose/parts.ts';
import { commandLine } from '../platform/command-line.ts';
import { PermanentError } from '../platform/errors.ts';
import { cutOver } from '../projecting/builds/cut-over.ts';
import { parseBuildName } from '../stores/builds.ts';
import type { LiveAlias } from '../stores/live.ts';
import { aliasOf, buildNamed, readModelOf } from './named-builds.ts';

export interface SwitchRequest {
  /** `listings` */
  readonly name: string;
  /** The build to be made live; the newest one without it. A rollback goes to the one that was live before. */
  readonly to?: string | undefined;
  readonly isRollback: boolean;
  /** While the build is compared with the log. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface SwitchDone {
  readonly from: string;
  readonly live: string;
  /** Events that only the new build has parked; null where the log cannot be reached to tell upstream of them. */
  readonly announced: number | null;
}

/**
 * Cut-over, and rollback, as an operator asks for them.
 * @throws {UsageError} where there is no such read model or build.
 * @throws {PermanentError} where the build cannot become live now, with the reason: what was live still is.
 */
export async function switchTo(
  parts: Parts,
  signal: AbortSignal,
  { name, to, isRollback, onProgress = () => undefined }: SwitchRequest,
): Promise<SwitchDone> {
  readModelOf(parts, name);
  const alias = await aliasOf(parts, name);
  const build = isRollback ? before(alias, name) : (to ?? newest(alias, name));
  const target = await buildNamed(parts, alias, build);
  const done = await cutOver({ ...cutOverParts(parts, signal), onProgress }, { target, isRollback });
  if (done.outcome === 'given_up')
    throw new PermanentError(`${alias.collection} is still live: ${done.reason}.`);
  return { from: done.from, live: done.to, announced: done.announced };
}

function before({ before: build, collection }: LiveAlias, name: string): string {
  if (build !== null && build !== collection) return build;
  throw new PermanentError(`No build of ${name} was live before ${collection}, or it was dropped.`);
}

/** Of the highest version, the build that was begun last. */
function newest({ beside, collection }: LiveAlias, name: string): string {
  const [first] = [...beside].sort((a, b) => rank(b) - rank(a));
  if (first !== undefined) return first;
  throw new PermanentError(
    `${collection} is the only build of ${name}: "${commandLine(`rebuild ${name}`)}" makes another one.`,
  );
}

function rank(build: string): number {
  const { version = 0, build: suffix = 'b1' } = parseBuildName(build) ?? {};
  return version * 1_000_000 + Number(suffix.slice(1));
}
