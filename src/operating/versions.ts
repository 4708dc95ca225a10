import type { Parts } from '../compose/parts.ts';
import { lanesOf } from '../projecting/builds/lanes.ts';
import type { Counts } from '../projecting/engine/lane.ts';
import { parseBuildName, readBuild } from '../stores/builds.ts';
import { buildsOf, readAlias, rollbackTarget, type LiveAlias } from '../stores/live.ts';
import { RENDERERS, type Renderer } from '../stores/renderers.ts';
import { isAlive, readWords } from '../stores/words.ts';

/** One build, in the names in which scripts get it. Instants are RFC 3339, null where it has not come to that. */
export interface Version {
  readonly read_model: string;
  readonly build: string;
  /** `before`: it was live until the last switch. */
  readonly state: 'live' | 'before' | 'ready' | 'building';
  /** Whether a rollback goes to it, without being told what to leave. */
  readonly rollback: boolean;
  readonly documents: number;
  /** About, as JSON: as many as its first documents take, for all. Without indexes, and without the search index. */
  readonly bytes: number;
  /** Of the log, that its lanes have consumed. */
  readonly records: number;
  /** The digest of the fold that it is made by; null where this was never noted. */
  readonly fold: string | null;
  readonly began_at: string | null;
  readonly complete_since: string | null;
  readonly verified_at: string | null;
  readonly digest: string | null;
  /** Processes that serve now and have answers for it. */
  readonly servers: number;
}

export async function readVersions(
  parts: Pick<Parts, 'documents' | 'projections'>,
): Promise<readonly Version[]> {
  const { documents, projections } = parts;
  const now = await documents.now();
  const spoken = [...(await readWords<Renderer>(documents, RENDERERS)).values()];
  const servers = spoken.filter((one) => isAlive(one, now));
  const found: Version[] = [];
  for (const { name } of projections) {
    const alias = await readAlias(documents, name);
    if (alias === null) continue;
    for (const build of buildsOf(alias)) found.push(await readVersion(parts, name, alias, build, servers));
  }
  return found;
}

async function readVersion(
  { documents }: Pick<Parts, 'documents'>,
  name: string,
  alias: LiveAlias,
  build: string,
  servers: readonly Renderer[],
): Promise<Version> {
  const known = await readBuild(documents, build);
  const lanes = await lanesOf(documents, build);
  const version = parseBuildName(build)?.version ?? 0;
  const [counted] = await documents.count(build, { where: {}, by: [] });
  return {
    read_model: name,
    build,
    state: stateOf(alias, build, known?.completed_at ?? null),
    rollback: alias.collection !== build && rollbackTarget(alias) === build,
    documents: counted?.count ?? 0,
    bytes: Math.round((counted?.count ?? 0) * (await meanSize(documents, build))),
    records: lanes.reduce((sum, { counts }) => sum + total(counts), 0),
    fold: alias.folds[version] ?? null,
    began_at: instant(known?.began_at ?? null),
    complete_since: instant(known?.completed_at ?? null),
    verified_at: instant(known?.verified?.at ?? null),
    digest: known?.verified?.digest ?? null,
    servers: servers.filter(({ renders }) => renders[name]?.includes(version)).length,
  };
}

/** Of the first documents, as JSON. */
async function meanSize(documents: Parts['documents'], build: string): Promise<number> {
  for await (const page of documents.scan(build)) {
    const bytes = page.reduce((sum, { body }) => sum + Buffer.byteLength(JSON.stringify(body)), 0);
    return bytes / page.length;
  }
  return 0;
}

function total({ applied, superseded, parked, ignored }: Counts): number {
  return applied + superseded + parked + ignored;
}

function stateOf(alias: LiveAlias, build: string, completedAt: number | null): Version['state'] {
  if (alias.collection === build) return 'live';
  if (alias.before === build) return 'before';
  return completedAt === null ? 'building' : 'ready';
}

function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
