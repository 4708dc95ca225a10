import type { Parts } from '../compose/parts.ts';
import { instantAt, type Instant } from '../platform/time/instant.ts';
import { lanesOf } from '../projecting/builds/build-lanes.ts';
import type { Counts } from '../projecting/engine/lane.ts';
import { countParked } from '../projecting/engine/parked-events.ts';
import { parseBuildName, readBuild } from '../stores/builds.ts';
import { buildsOf, readAlias, rollbackTarget, type LiveAlias } from '../stores/aliases.ts';
import { RENDERERS, type Renderer } from '../stores/renderers.ts';
import { isAlive, readHeartbeats } from '../stores/heartbeats.ts';

/** One build, in the names in which scripts get it. Instants are RFC 3339, null where it has not come to that. */
export interface Version {
  readonly read_model: string;
  readonly build: string;
  /** `before`: it was live until the last switch. */
  readonly state: 'live' | 'before' | 'ready' | 'building';
  /** Whether a rollback goes to it, without being told what to leave. */
  readonly rollback: boolean;
  readonly documents: number;
  /** Parked events that wait for a decision. */
  readonly parked: number;
  /** Of the log, that its lanes have consumed. */
  readonly records: number;
  /** The digest of the fold that it is made by; null where this was never noted. */
  readonly fold: string | null;
  readonly began_at: Instant | null;
  readonly complete_since: Instant | null;
  readonly verified_at: Instant | null;
  readonly digest: string | null;
  /** Processes that serve now and have answers for it. */
  readonly servers: number;
}

export async function readVersions(
  parts: Pick<Parts, 'documents' | 'projections'>,
): Promise<readonly Version[]> {
  const found: Version[] = [];
  for (const { name } of parts.projections) {
    const alias = await readAlias(parts.documents, name);
    for (const build of alias ? buildsOf(alias) : []) found.push(await readVersion(parts, name, build));
  }
  return found;
}

/** @throws {Error} where the read model was never projected. */
export async function readVersion(
  { documents }: Pick<Parts, 'documents'>,
  name: string,
  build: string,
): Promise<Version> {
  const alias = await readAlias(documents, name);
  if (!alias) throw new Error(`${name} was never projected`);
  const known = await readBuild(documents, build);
  const lanes = await lanesOf(documents, build);
  const version = parseBuildName(build)?.version ?? 0;
  const [counted] = await documents.count(build, { where: {}, by: [] });
  const parked = (await countParked(documents)).filter(({ readModel }) => readModel === build);
  const now = await documents.now();
  const words = [...(await readHeartbeats<Renderer>(documents, RENDERERS)).values()];
  const servers = words.filter((one) => isAlive(one, now) && one.renders[name]?.includes(version));
  return {
    read_model: name,
    build,
    state: stateOf(alias, build, known?.completed_at ?? null),
    rollback: alias.collection !== build && rollbackTarget(alias) === build,
    documents: counted?.count ?? 0,
    parked: parked.reduce((sum, { count }) => sum + count, 0),
    records: lanes.reduce((sum, { counts }) => sum + total(counts), 0),
    fold: alias.folds[version] ?? null,
    began_at: instant(known?.began_at),
    complete_since: instant(known?.completed_at),
    verified_at: instant(known?.verified?.at),
    digest: known?.verified?.digest ?? null,
    servers: servers.length,
  };
}

function total({ applied, superseded, parked, ignored }: Counts): number {
  return applied + superseded + parked + ignored;
}

function stateOf(alias: LiveAlias, build: string, completedAt: number | null): Version['state'] {
  if (alias.collection === build) return 'live';
  if (alias.before === build) return 'before';
  return completedAt === null ? 'building' : 'ready';
}

function instant(ms: number | null | undefined): Instant | null {
  return typeof ms === 'number' ? instantAt(ms) : null;
}
