import { ensureTopics } from '../../../compose/projector.ts';
import { examineArea } from '../../../operations/doctor/examine.ts';
import { logArea } from '../../../operations/doctor/log.ts';
import { command, withParts } from '../../command.ts';
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

Topics that exist are left as they are. Exit code 1 where one is missing or differs, or cannot be read.`,
  run: ({ create, json }, name) =>
    withParts(name, create ? 'create' : 'read', async ({ parts }) => {
      if (create) await ensureTopics(parts);
      return report(await examineArea(logArea, parts, 'project'), json);
    }),
});
