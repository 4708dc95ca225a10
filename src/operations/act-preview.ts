import { everyBuild } from '../projecting/builds/builds-by-fold.ts';
import type { Parts } from '../compose/parts.ts';
import { instantAt, type Instant } from '../platform/time/instant.ts';
import { keptUntil } from '../projecting/builds/drop-build.ts';
import { alsoParkedIn } from '../projecting/builds/carry-parked-to-build.ts';
import { obstacleTo, type SwitchObstacle } from '../projecting/builds/switch-obstacles.ts';
import { countParked } from '../projecting/engine/parked-queries.ts';
import { PARKED, type ParkedEvent } from '../projecting/engine/parking.ts';
import { parseBuildName } from '../stores/build-names.ts';
import { buildsOf, readAlias, rollbackTarget, type LiveAlias } from '../stores/aliases.ts';
import type { Act } from './act-log.ts';
import { readVersion } from './list-builds.ts';

/**
 * What an act would do now: it is shown before it is confirmed, and read again when it is, so that nobody confirms what is
 * no longer so.
 */
export type Preview = NonNullable<
  Awaited<
    ReturnType<typeof previewRedrive | typeof previewRedriveAll | typeof previewSwitch | typeof previewDrop>
  >
>;

/** Why it would be refused; `kept`: it was live until lately, and is kept for a rollback. */
export type Obstacle = SwitchObstacle | { readonly code: 'kept'; readonly until: Instant };

/** null where there is nothing to be done any more, or never was. */
export async function readPreview(parts: Parts, { kind, subject, to }: Act): Promise<Preview | null> {
  switch (kind) {
    case 'redrive':
      return await previewRedrive(parts, subject);
    case 'redrive_all':
      return await previewRedriveAll(parts, subject);
    case 'cut_over':
    case 'rollback':
      return await previewSwitch(parts, kind, subject, to);
    case 'cancel':
      return await previewDrop(parts, subject);
    case 'verify':
      return null;
  }
}

async function previewRedrive(parts: Parts, id: string) {
  const { documents } = parts;
  const body = (await documents.get<ParkedEvent>(PARKED.name, [id])).get(id)?.body;
  if (body?.state !== 'parked') return null;
  const name = parseBuildName(body.readModel)?.name;
  const others = (await everyBuild(parts))
    .filter(({ readModel, build }) => readModel === name && build !== body.readModel)
    .map(({ build }) => build);
  // What they have parked of the same event is redriven with it.
  const ids = [id, ...(await alsoParkedIn(documents, body, others))];
  const builds = ids.map((one) => one.slice(0, one.indexOf('/'))).sort();
  const { code, reason } = body.rejection;
  return { kind: 'redrive' as const, code, reason, redrives: body.redrives, builds };
}

async function previewRedriveAll({ documents }: Parts, subject: string) {
  const [topic = '', code = ''] = subject.split(' ');
  const groups = (await countParked(documents)).filter((one) => one.topic === topic && one.code === code);
  if (groups.length === 0) return null;
  const builds = groups
    .map(({ readModel: build, count }) => ({ build, count }))
    .toSorted((one, other) => (one.build < other.build ? -1 : 1));
  const events = groups.reduce((sum, { count }) => sum + count, 0);
  return { kind: 'redrive_all' as const, topic, code, events, builds };
}

async function previewSwitch(
  parts: Parts,
  kind: 'cut_over' | 'rollback',
  name: string,
  to: string | undefined,
) {
  const alias = await aliasFor(parts, name);
  const target = alias && (kind === 'rollback' ? rollbackTarget(alias) : to);
  if (!target || !isBeside(alias, target)) return null;
  return {
    kind,
    from: await readVersion(parts, name, alias.collection),
    to: await readVersion(parts, name, target),
    obstacle: await obstacleTo(parts.documents, target),
  };
}

async function previewDrop(parts: Parts, build: string) {
  const name = parseBuildName(build)?.name ?? '';
  const alias = await aliasFor(parts, name);
  if (!alias || !isBeside(alias, build)) return null;
  const until = keptUntil(alias, build);
  const isKept = (await parts.documents.now()) < until;
  const kept = { code: 'kept', until: instantAt(until) } as const;
  return {
    kind: 'cancel' as const,
    build: await readVersion(parts, name, build),
    obstacle: isKept ? kept : null,
  };
}

/** null where there is no such read model, or it was never projected. */
async function aliasFor({ documents, projections }: Parts, name: string): Promise<LiveAlias | null> {
  return projections.some((one) => one.name === name) ? await readAlias(documents, name) : null;
}

/** Whether it is a build that stands, and is not live. */
function isBeside(alias: LiveAlias, build: string): boolean {
  return build !== alias.collection && buildsOf(alias).includes(build);
}

/**
 * Whether what was shown still holds. Amounts that grow by themselves do not count: documents of builds go on arriving, and
 * of parked events the act takes no more than were shown.
 */
export function stillHolds(shown: Preview, now: Preview | null): boolean {
  if (now === null) return false;
  if (shown.kind === 'redrive_all' && now.kind === 'redrive_all' && now.events < shown.events) return false;
  return JSON.stringify(shown, STANDING) === JSON.stringify(now, STANDING);
}

/** Another build may be made under a name that is free again. */
const OF_BUILD = ['build', 'began_at', 'complete_since'];
const OF_OBSTACLE = ['obstacle', 'code', 'server', 'until'];
const STANDING = ['kind', 'topic', 'redrives', 'builds', 'from', 'to', ...OF_BUILD, ...OF_OBSTACLE];
