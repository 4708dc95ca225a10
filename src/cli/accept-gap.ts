import { Option } from 'commander';

import type { Parts } from '../compose/parts.ts';
import { UsageError } from '../platform/errors.ts';
import { collectionOf } from '../projecting/engine/projection.ts';

/** The option of the commands that project: which halted lanes may go on despite a gap. */
export function acceptGapOption(): Option {
  const help = 'halted lanes, as "status" names them, that may start at the log’s earliest record';
  return new Option('--accept-gap <lane...>', help).default([], 'none');
}

/** @throws {UsageError} where a name is not one of a lane: a slip of the finger must not pass for consent. */
export function checkLanes({ projections, topicName }: Parts, names: readonly string[]): void {
  const topics = projections.flatMap((projection) =>
    projection.topics.map((topic) => `${collectionOf(projection)}/${topicName(topic)}`),
  );
  for (const name of names) {
    const [, topic] = /^(.+)\/\d+$/.exec(name) ?? [];
    if (topic !== undefined && topics.includes(topic)) continue;
    throw new UsageError(`There is no lane ${name}. A lane is one of ${topics.join(', ')}, and /NUMBER.`);
  }
}
