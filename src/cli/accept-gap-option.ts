import type { Parts } from '../compose/parts.ts';
import { UsageError } from '../platform/errors.ts';
import { collectionOf } from '../projecting/engine/projection.ts';
import { option, type OptionSpec } from './option-builders.ts';

/** Which halted lanes a command that projects may go on with despite a gap. */
export const ACCEPT_GAP: OptionSpec<readonly string[]> = option(
  '<lane...>',
  'halted lanes, as "status" names them, that may start at the log’s earliest record',
  (made) => made.default([], 'none'),
);

/**
 * Of any build that this release could project.
 * @throws {UsageError} where a name is not one of a lane: a slip of the finger must not pass for consent.
 */
export function checkLanes(
  { projections, earlier, topicName }: Pick<Parts, 'projections' | 'earlier' | 'topicName'>,
  names: readonly string[],
): void {
  const folds = [...projections, ...earlier];
  const topics = folds.flatMap((projection) =>
    projection.topics.map((topic) => `${collectionOf(projection)}/${topicName(topic)}`),
  );
  for (const name of names) {
    // Whichever build of its version it is: listings@2-b3 reads what listings@2 does.
    const [, build, topic] = LANE.exec(name) ?? [];
    if (build !== undefined && topics.includes(`${build}/${topic}`)) continue;
    throw new UsageError(`There is no lane ${name}. A lane is one of ${topics.join(', ')}, and /NUMBER.`);
  }
}

const LANE = /^([^/]+?)(?:-b[1-9]\d*)?\/(.+)\/\d+$/;
