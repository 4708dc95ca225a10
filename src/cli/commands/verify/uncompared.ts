import { commandLine } from '../../../platform/command-line.ts';
import type { Parts } from '../../../compose/parts.ts';
import { laneName } from '../../../projecting/engine/lane.ts';
import { readOwners } from '../../../projecting/inspect/heartbeat.ts';
import { readProgress, waitsForTransaction } from '../../../projecting/inspect/progress.ts';

/** Records that are in the log and were not compared, because their lane has not consumed them. */
export interface Uncompared {
  readonly lane: string;
  /** Positions of the log: [from, to). */
  readonly from: number;
  readonly to: number;
  /** `behind` alone passes by itself: somebody is at it, or a publisher has a transaction open. */
  readonly reason: 'halted' | 'no_owner' | 'behind' | 'open_transaction';
}

/** What a verification just now could not look at. */
export async function readUncompared(parts: Parts): Promise<readonly Uncompared[]> {
  const { documents } = parts;
  const owners = await readOwners(documents, await documents.now());
  return (await readProgress(parts)).flatMap((lane): readonly Uncompared[] => {
    const owner = owners.of(lane);
    const isHalted = lane.halted !== null || owner?.state === 'halted';
    if (lane.lag === 0 && !isHalted) return [];
    const reason = isHalted ? 'halted' : lagReason(waitsForTransaction(lane), owner !== null);
    const from = lane.position ?? lane.earliest;
    return [{ lane: laneName(lane), from, to: Math.max(from, lane.latest), reason }];
  });
}

function lagReason(isOpen: boolean, hasOwner: boolean): Uncompared['reason'] {
  if (isOpen) return 'open_transaction';
  return hasOwner ? 'behind' : 'no_owner';
}

/** Whether somebody has to do something before these records can be compared. */
export function isStuck({ reason }: Uncompared): boolean {
  return reason === 'halted' || reason === 'no_owner';
}

const WHY: Readonly<Record<Uncompared['reason'], string>> = {
  halted: `the lane has halted: "${commandLine('status')}" says why`,
  no_owner: `no live projector has the lane: start one ("npm start", or "${commandLine('project')}")`,
  behind: 'not yet consumed',
  open_transaction: 'they wait for an open transaction of their publisher',
};

export function describeUncompared({ lane, from, to, reason }: Uncompared): string {
  return `not compared: ${lane} from ${from} to ${to}: ${WHY[reason]}`;
}
