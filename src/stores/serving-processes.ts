import { RetryableError } from '../platform/errors.ts';
import type { CollectionSpec, Documents } from './documents/port.ts';
import { parseBuildName } from './build-names.ts';
import type { ReadAlias } from './aliases.ts';
import { isAlive, readHeartbeats, type Heartbeat } from './heartbeats.ts';

/** Which processes serve, and what they can: a build is made live only where each of them can render it. */
export const RENDERERS: CollectionSpec = { name: 'renderers', indexes: [] };

export interface Renderer extends Heartbeat {
  /** Where it runs, for people: `host:pid`. */
  readonly where: string;
  readonly renders: ServableVersions;
}

/** The versions of each read model that a process has answers for. */
export type ServableVersions = Readonly<Record<string, readonly number[]>>;

/** Of a process that has these folds. */
export function servableVersions(
  folds: readonly { readonly name: string; readonly version: number }[],
): ServableVersions {
  const renders: Record<string, number[]> = {};
  for (const { name, version } of folds) (renders[name] ??= []).push(version);
  return renders;
}

/** A build is live that this process has no answers for. */
export class UnservableBuild extends RetryableError {
  readonly build: string;

  constructor(build: string) {
    super(`${build} is live, and this release has no answers for it: serve with the release that made it`);
    this.build = build;
  }
}

/**
 * The aliases for a process that serves. A build that it has no answers for is refused, as long as that one is live: a
 * cut-over asks the processes that it hears of, and this one may have started afterwards.
 */
export function refuseUnservable(live: ReadAlias, renders: ServableVersions): ReadAlias {
  return async (name) => {
    const alias = await live(name);
    if (alias === null || renders[name]?.includes(alias.version)) return alias;
    throw new UnservableBuild(alias.collection);
  };
}

/** Where the processes run that serve now and could not serve this build. `now` is the store's time. */
export async function processesUnableTo(
  documents: Pick<Documents, 'scan' | 'declare'>,
  build: string,
  now: number,
): Promise<readonly string[]> {
  const named = parseBuildName(build);
  if (!named) return [];
  await documents.declare(RENDERERS);
  const serving = [...(await readHeartbeats<Renderer>(documents, RENDERERS)).values()];
  return serving
    .filter((one) => isAlive(one, now) && !one.renders[named.name]?.includes(named.version))
    .map(({ where }) => where);
}
