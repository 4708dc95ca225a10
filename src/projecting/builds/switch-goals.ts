import type { Log, Position } from '../../events/log/port.ts';
import type { Build } from '../../stores/builds.ts';
import { partitionName, type Checkpoint } from '../engine/lane.ts';
import { partitionsOf } from '../replay/history.ts';

/** Where lanes of the target have to have come, by topic and partition. */
export type Goals = ReadonlyMap<string, Position>;

/**
 * As far as the lanes of the source may have written, once they are quiet: not their checkpoints, since a worker that was
 * killed, or was replaced, may have written documents of a batch that it did not checkpoint; but no batch is longer
 * than the log. A halted lane says nothing: what it has read may have been another log's.
 * @returns a line for people where the log does not know its end at the moment.
 */
export async function goalsOf(
  log: Pick<Log, 'ends'>,
  source: readonly Checkpoint[],
): Promise<Goals | string> {
  const goals = new Map<string, Position>();
  const held = await partitionsOf(log, [...new Set(source.map(({ topic }) => topic))]);
  const ends = new Map(held.map((partition) => [partitionName(partition), partition.end]));
  for (const lane of source.filter(({ halted }) => halted === null)) {
    const end = ends.get(partitionName(lane));
    if (end === undefined || end < lane.position)
      return `the log does not say how far ${partitionName(lane)} is`;
    goals.set(partitionName(lane), end);
  }
  return goals;
}

/**
 * The lanes of the target that have not come so far, with what is left. `topics` are those that its fold reads; null where
 * they are unknown: then every lane counts.
 */
export function lanesBehind(
  goals: Goals,
  target: readonly Checkpoint[],
  topics: ReadonlySet<string> | null,
): readonly { readonly lane: string; readonly left: number }[] {
  const positions = new Map(target.map((lane) => [partitionName(lane), lane.position]));
  return [...goals].flatMap(([lane, goal]) => {
    if (topics?.has(lane.slice(0, lane.lastIndexOf('/'))) === false) return [];
    const left = goal - (positions.get(lane) ?? 0);
    return left > 0 ? [{ lane, left }] : [];
  });
}

/**
 * The topics that a build's fold reads, as was noted when it was begun: its lanes may have begun in some of them alone. Null
 * where nothing was noted.
 */
export function topicsOf(build: Pick<Build, 'targets'> | null): ReadonlySet<string> | null {
  const lanes = Object.keys(build?.targets ?? {});
  if (lanes.length === 0) return null;
  return new Set(lanes.map((lane) => lane.slice(lane.indexOf('/') + 1, lane.lastIndexOf('/'))));
}
