import type { Parts } from '../compose/parts.ts';
import { toInstant, type Instant } from '../platform/time/instant.ts';
import { lanesOf } from '../projecting/engine/lane.ts';
import { countParked } from '../projecting/engine/parked-queries.ts';
import { parseBuildName } from '../stores/build-names.ts';
import { readBuild } from '../stores/builds.ts';
import {
  type Alias,
  ALIASES,
  buildsOf,
  readAlias,
  requireAlias,
  rollbackTarget,
  type LiveAlias,
} from '../stores/aliases.ts';
import { RENDERERS, type Renderer } from '../stores/serving-processes.ts';
import { isAlive, readHeartbeats } from '../stores/heartbeats.ts';

/** One build, in the names in which scripts get it. Instants are RFC 3339, null where it has not come to that. */
export type Version = Awaited<ReturnType<typeof readVersion>>;

export async function readVersions(parts: Pick<Parts, 'documents' | 'projections'>) {
  const found: Version[] = [];
  for (const { name } of parts.projections) {
    const alias = await readAlias(parts.documents, name);
    for (const build of alias ? buildsOf(alias) : [])
      found.push(await readVersion(parts, name, build, alias));
  }
  return found;
}

/** The builds of read models that this release does not have: nothing but their removal can be asked for. */
export async function readRemoved({
  documents,
  projections,
}: Pick<Parts, 'documents' | 'projections'>): Promise<readonly string[]> {
  const aliases = (await Array.fromAsync(documents.scan<Alias>(ALIASES.name))).flat();
  return aliases
    .filter(({ id }) => !projections.some(({ name }) => name === id))
    .flatMap(({ body }) => buildsOf(body));
}

/**
 * By the alias that is given, so that the rows of one list do not stand on both sides of a switch; else by the one that stands.
 * @throws {PermanentError} where the read model was never projected.
 */
export async function readVersion(
  { documents }: Pick<Parts, 'documents'>,
  read_model: string,
  build: string,
  read: LiveAlias | null = null,
) {
  const alias = read ?? (await requireAlias(documents, read_model));
  const known = await readBuild(documents, build);
  const lanes = await lanesOf(documents, build);
  const version = parseBuildName(build)?.version ?? 0;
  const [counted] = await documents.count(build, { where: {}, by: [] });
  const parked = (await countParked(documents)).filter(({ readModel }) => readModel === build);
  const now = await documents.now();
  const renderers = [...(await readHeartbeats<Renderer>(documents, RENDERERS)).values()];
  const servers = renderers.filter((one) => isAlive(one, now) && one.renders[read_model]?.includes(version));
  return {
    read_model,
    build,
    state: stateOf(alias, build, known?.completed_at ?? null),
    /** Whether a rollback goes to it, without being told what to leave. */
    rollback: alias.collection !== build && rollbackTarget(alias) === build,
    documents: counted?.count ?? 0,
    /** Parked events that wait for a decision. */
    parked: parked.reduce((sum, { count }) => sum + count, 0),
    /** Of the log, that its lanes have consumed. */
    records: lanes.flatMap(({ counts }) => Object.values(counts)).reduce((sum, count) => sum + count, 0),
    /** The digest of the fold that it is made by; null where this was never noted. */
    fold: alias.folds[version] ?? null,
    began_at: instantOf(known?.began_at),
    complete_since: instantOf(known?.completed_at),
    verified_at: instantOf(known?.verified?.at),
    digest: known?.verified?.digest ?? null,
    /** Processes that serve now and have answers for it. */
    servers: servers.length,
  };
}

/** `before`: it was live until the last switch. */
function stateOf(
  { collection, before }: LiveAlias,
  build: string,
  completedAt: number | null,
): 'live' | 'before' | 'ready' | 'building' {
  if (collection === build) return 'live';
  if (before === build) return 'before';
  return completedAt === null ? 'building' : 'ready';
}

/** null where it has not come to that. */
export function instantOf(ms: number | null | undefined): Instant | null {
  return typeof ms === 'number' ? toInstant(ms) : null;
}
