import type { Parts } from '../../../compose/parts.ts';
import { ensureTopics } from '../../../compose/projector.ts';
import { examineArea } from '../../../operations/doctor/examine.ts';
import { topicsArea } from '../../../operations/doctor/log.ts';
import { command, withParts, type ExitCode } from '../../command.ts';
import { flag } from '../../options.ts';
import { report } from './check.ts';

export const topics = command({
  takes: {
    create: flag('create those that are missing, with the partitions and the retention of the contract'),
  },
  help: `
Examples:
  npm run -s catalog -- doctor topics
  npm run -s catalog -- doctor topics --create

Topics that exist are left as they are. Exit code 1 where one is missing or differs, or its settings cannot be read.`,
  run: ({ create, json }, name) =>
    withParts(name, create ? 'create' : 'read', async ({ parts }) => {
      if (create) await ensureTopics(parts);
      return lookAtTopics(parts, json);
    }),
});

/**
 * The topics alone: whoever waits for them to be made waits for no clock, and for no record. One that was not compared is
 * not right.
 */
export async function lookAtTopics(parts: Parts, json?: boolean): Promise<ExitCode> {
  return report(await examineArea(topicsArea, parts, 'project'), json, ['ok', 'warning']);
}
