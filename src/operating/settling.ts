import { everyBuild, type StandingBuild } from '../compose/builds.ts';
import { foldsOf } from '../compose/fold-sources.ts';
import type { Parts } from '../compose/parts.ts';
import { REJECTED } from '../events/types.ts';
import type { Logger } from '../platform/logger.ts';
import { alsoParkedIn } from '../projecting/builds/parked.ts';
import { announcingLog } from '../projecting/engine/announcing.ts';
import { parkedEvents, type ParkedFilter } from '../projecting/engine/parked-events.ts';
import { PARKED, type ParkedEvent } from '../projecting/engine/parking.ts';
import { discard, redrive, type Settled } from '../projecting/engine/redrive.ts';
import { conflictPause, createRetry } from '../projecting/engine/retry.ts';
import type { Documents, Stored } from '../stores/documents/port.ts';

/** Takes events off the list of the parked ones. */
export type SettleAction = 'redrive' | 'discard';
export type SettleResult = { readonly id: string } & Settled;

export interface Settling {
  readonly action: SettleAction;
  /** Events by their ids, or those that a filter selects. */
  readonly of:
    | { readonly ids: readonly string[] }
    /** `most`: the oldest so many alone. */
    | { readonly filter: ParkedFilter; readonly most?: number };
  /** `total`: how many were chosen. */
  readonly onSettled?: (result: SettleResult, done: number, total: number) => void;
}

export interface SettledAll {
  /** How many were chosen; those beyond `results` were left as they were, because the signal was aborted. */
  readonly chosen: number;
  readonly results: readonly SettleResult[];
  readonly counts: Readonly<Record<Settled['outcome'], number>>;
}

export async function settleParked(
  parts: Parts,
  signal: AbortSignal,
  { action, of, onSettled = () => undefined }: Settling,
): Promise<SettledAll> {
  const { documents } = parts;
  await documents.declare(PARKED);
  const builds = await everyBuild(parts, await foldsOf(parts));
  const chosen =
    'ids' in of ? await inEveryBuild(action, of.ids, builds, documents) : await parkedIds(documents, of);
  const results: SettleResult[] = [];
  const counts = { redriven: 0, discarded: 0, still_rejected: 0, gone: 0 };
  for (const id of chosen) {
    if (signal.aborted) break;
    const stored = (await documents.get<ParkedEvent>(PARKED.name, [id])).get(id);
    const result: SettleResult = stored
      ? { id, ...(await settle(action, stored, builds, parts, signal)) }
      : { id, outcome: 'gone' };
    results.push(result);
    counts[result.outcome] += 1;
    log(parts.logger, result);
    onSettled(result, results.length, chosen.length);
  }
  return { chosen: chosen.length, results, counts };
}

async function parkedIds(
  documents: Documents,
  { filter, most = Infinity }: { readonly filter: ParkedFilter; readonly most?: number },
): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const page of parkedEvents(documents, filter)) {
    ids.push(...page.map(({ id }) => id));
    if (ids.length >= most) break;
  }
  return ids.slice(0, most);
}

/** What is redriven is redriven in every build of the read model that has parked it: else it would be lost by a cut-over. */
export async function inEveryBuild(
  action: SettleAction,
  ids: readonly string[],
  builds: readonly StandingBuild[],
  documents: Documents,
): Promise<readonly string[]> {
  if (action === 'discard') return ids;
  const stored = await documents.get<ParkedEvent>(PARKED.name, ids);
  const found = new Set(ids);
  for (const { body } of stored.values()) {
    const readModel = builds.find(({ build }) => build === body.readModel)?.readModel;
    const others = builds.filter((one) => one.readModel === readModel && one.build !== body.readModel);
    for (const id of await alsoParkedIn(
      documents,
      body,
      others.map(({ build }) => build),
    ))
      found.add(id);
  }
  return [...found];
}

function settle(
  action: SettleAction,
  stored: Stored<ParkedEvent>,
  builds: readonly StandingBuild[],
  { documents, decode, clock, logger, log: records, config, topicName }: Parts,
  signal: AbortSignal,
): Promise<Settled> {
  if (action === 'discard') return discard(documents, stored);
  const rejectedTopic = topicName(REJECTED);
  const isOn = config.rejections === 'on';
  const retry = createRetry({ clock, logger, signal });
  const pause = (attempt: number): Promise<void> => clock.sleep(conflictPause(attempt, Math.random), signal);
  return redrive(stored, {
    documents,
    log: announcingLog({ log: records, documents, logger, topic: rejectedTopic, isOn }),
    rejectedTopic,
    projections: builds.flatMap(({ projection }) => projection ?? []),
    isLive: (build) => builds.some((one) => one.isLive && one.build === build),
    decode,
    retry,
    pause,
    now: clock.now(),
  });
}

function log(logger: Logger, result: SettleResult): void {
  const parked = result.id;
  switch (result.outcome) {
    case 'redriven':
      return logger.info({ parked }, 'event redriven');
    case 'discarded':
      return logger.info({ parked }, 'event discarded');
    case 'still_rejected':
      return logger.info({ parked, reason: result.reason }, 'event still refused');
    case 'gone':
      return logger.info({ parked }, 'event gone: somebody else has redriven it');
  }
}
