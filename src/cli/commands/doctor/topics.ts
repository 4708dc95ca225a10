import { ensureTopics } from '../../../compose/projector.ts';
import { TOPICS } from '../../../events/types.ts';
import { differencesOf, retention } from '../../../operations/topics.ts';
import { command, withParts } from '../../command.ts';
import { flag } from '../../options.ts';
import { print, printJson } from '../../output.ts';
import { table } from '../../table.ts';

export const topics = command({
  takes: {
    create: flag('create those that are missing, with the partitions and the retention of the contract'),
  },
  help: `
Examples:
  npm run -s catalog -- doctor topics
  npm run -s catalog -- doctor topics --create

Topics that exist are left as they are. Exit code 1 where one is missing or differs.`,
  run: ({ create, json }, name) =>
    withParts(name, create ? 'create' : 'read', async ({ parts }) => {
      const { log, topicName } = parts;
      if (create) await ensureTopics(parts);
      const found = await Promise.all(
        TOPICS.map(async (topic) => {
          const own = topicName(topic.name);
          const settings = await log.topicSettings(own);
          const [partitions, retention_ms] = [settings?.partitions ?? 0, settings?.retentionMs ?? null];
          return { name: own, partitions, retention_ms, differences: differencesOf(topic, settings) };
        }),
      );
      const ok = found.every(({ differences }) => differences.length === 0);
      if (json) printJson({ ok, topics: found });
      else printTopics(found, ok);
      return ok ? 0 : 1;
    }),
});

interface Found {
  readonly name: string;
  readonly partitions: number;
  readonly retention_ms: number | null;
  readonly differences: readonly string[];
}

function printTopics(found: readonly Found[], ok: boolean): void {
  const keptFor = ({ partitions, retention_ms }: Found): string | null =>
    partitions === 0 ? null : retention(retention_ms);
  print([...table({ topic: 'name', partitions: 'partitions', 'kept for': keptFor }, found), '']);
  for (const { name, differences } of found) {
    for (const difference of differences) print(`DIFFERS ${name}: ${difference}`);
  }
  if (ok) print('All topics are as the contract wants them.');
}
