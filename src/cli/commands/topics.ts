import { Command } from 'commander';

import { ensureTopics } from '../../compose/projector.ts';
import type { Parts } from '../../compose/parts.ts';
import { TOPICS } from '../../events/types.ts';
import { differencesOf, retention } from '../../operations/topics.ts';
import { groupOf } from '../building.ts';
import { withParts, type Finish } from '../command.ts';
import { print, printJson } from '../output.ts';
import { table } from '../table.ts';

export function topics(finish: Finish): Command {
  const create = new Command('create')
    .description('Create the topics that are missing, with the partitions and the retention of the contract.')
    .addHelpText('after', CREATE_HELP)
    .action((options: Options) =>
      withParts('topics', 'create', async ({ parts }) => {
        await ensureTopics(parts);
        await compare(parts, options, finish);
      }),
    );
  const check = new Command('check')
    .description('Compare the topics in the log with the contract; change nothing.')
    .addHelpText('after', CHECK_HELP)
    .action((options: Options) =>
      withParts('topics', 'read', ({ parts }) => compare(parts, options, finish)),
    );
  return groupOf('topics', [create, check], 'topics create');
}

interface Options {
  readonly json?: boolean;
}

const CREATE_HELP = `
Example:
  npm run -s catalog -- topics create

Topics that exist are left as they are, and compared. Exit code 1 where one differs.`;

const CHECK_HELP = `
Example:
  npm run -s catalog -- topics check

Exit code 1 where a topic is missing or differs.`;

async function compare({ log, topicName }: Parts, { json }: Options, finish: Finish): Promise<void> {
  const found = await Promise.all(
    TOPICS.map(async (topic) => {
      const name = topicName(topic.name);
      const settings = await log.topicSettings(name);
      const [partitions, retention_ms] = [settings?.partitions ?? 0, settings?.retentionMs ?? null];
      return { name, partitions, retention_ms, differences: differencesOf(topic, settings) };
    }),
  );
  const ok = found.every(({ differences }) => differences.length === 0);
  if (json) printJson({ ok, topics: found });
  else {
    const keptFor = ({ partitions, retention_ms }: (typeof found)[number]): string | null =>
      partitions === 0 ? null : retention(retention_ms);
    print([...table({ topic: 'name', partitions: 'partitions', 'kept for': keptFor }, found), '']);
    for (const { name, differences } of found) {
      for (const difference of differences) print(`DIFFERS ${name}: ${difference}`);
    }
    if (ok) print('All topics are as the contract wants them.');
  }
  if (!ok) finish(1);
}
