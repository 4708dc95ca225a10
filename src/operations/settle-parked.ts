import { cutOverParts } from '../compose/cut-over-parts.ts';
import type { Parts } from '../compose/parts.ts';
import { redriveEverywhere, type RedriveResult } from '../projecting/builds/redrive-in-builds.ts';
import { parkedEvents, type ParkedFilter } from '../projecting/engine/parked-queries.ts';
import { PARKED, type ParkedEvent } from '../projecting/engine/parking.ts';
import { discard } from '../projecting/engine/redrive.ts';
import type { Documents } from '../stores/documents/port.ts';

/** Takes events off the list of the parked ones. */
export type SettleAction = 'redrive' | 'discard';

interface SettlementRequest {
  readonly action: SettleAction;
  /** Events by their ids, or those that a filter selects. */
  readonly of:
    | { readonly ids: readonly string[] }
    /** `most`: the oldest so many alone. */
    | { readonly filter: ParkedFilter; readonly most?: number };
  /** `total`: how many were chosen. */
  readonly onSettled?: (result: RedriveResult, done: number, total: number) => void;
}

export type SettlementReport = Awaited<ReturnType<typeof settleParked>>;

export async function settleParked(
  parts: Parts,
  signal: AbortSignal,
  { action, of, onSettled = () => undefined }: SettlementRequest,
) {
  const { documents, logger } = parts;
  await documents.declare(PARKED);
  const chosen = 'ids' in of ? of.ids : await parkedIds(documents, of);
  /** With those under which other builds have parked the same. */
  const known = new Set(chosen);
  const settled = new Map<string, RedriveResult>();
  const counts = { redriven: 0, discarded: 0, still_rejected: 0, gone: 0 };
  for (const id of chosen) {
    if (signal.aborted) break;
    if (settled.has(id)) continue;
    const results =
      action === 'redrive'
        ? await redriveEverywhere(cutOverParts(parts, signal), id)
        : [await discardOne(documents, id)];
    for (const result of results) {
      known.add(result.id);
      settled.set(result.id, result);
      counts[result.outcome] += 1;
      const { id: parked, ...what } = result;
      logger.info({ parked, ...what }, 'parked event settled');
      onSettled(result, settled.size, known.size);
    }
  }
  // Those beyond the results were left as they were, because the signal was aborted.
  return { chosen: known.size, results: [...settled.values()], counts };
}

async function parkedIds(
  documents: Documents,
  { filter, most = Infinity }: Exclude<SettlementRequest['of'], { readonly ids: readonly string[] }>,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const page of parkedEvents(documents, filter)) {
    ids.push(...page.map(({ id }) => id));
    if (ids.length >= most) break;
  }
  return ids.slice(0, most);
}

async function discardOne(documents: Documents, id: string): Promise<RedriveResult> {
  const stored = (await documents.get<ParkedEvent>(PARKED.name, [id])).get(id);
  return stored ? { id, ...(await discard(documents, stored)) } : { id, outcome: 'gone' };
}
