import { Command, Option } from 'commander';

import { REJECTION_CODES } from '../../events/rejection.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { PermanentError } from '../../platform/errors.ts';
import { commandLine } from '../../platform/text/command-line.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { parkedEvents, type ParkedFilter } from '../../projecting/engine/parked-events.ts';
import { PARKED, type ParkedEvent } from '../../projecting/engine/parking.ts';
import type { Documents, Stored } from '../../stores/documents/port.ts';
import { groupOf } from '../building.ts';
import { withParts, type Finish, type Work } from '../command.ts';
import { integerFrom, momentBefore } from '../options.ts';
import { number } from '../../platform/text/format.ts';
import { print, printJson } from '../output.ts';
import { table } from '../table.ts';
import { settleCommand } from './parked/settle.ts';

export function parked(finish: Finish): Command {
  const redrive = 'Decode and fold parked events again, once the schema or the release is fixed.';
  const discard = 'Drop the content of parked events for good, and remember the decision.';
  const commands = [
    list(),
    show(),
    selecting(settleCommand('redrive', redrive, finish)),
    selecting(settleCommand('discard', discard, finish)),
  ];
  return groupOf('parked', commands, 'parked list');
}

/** The options that select parked events. */
function selecting(command: Command): Command {
  return command
    .option('--topic <topic>', 'of one topic alone')
    .addOption(
      new Option('--code <code>', 'refused for one reason alone').choices(Object.keys(REJECTION_CODES)),
    )
    .option('--source <source>', 'of one publisher alone, as its events name it')
    .option(
      '--since <when>',
      'parked since: how long ago (30m, 12h, 7d), or an RFC 3339 date-time',
      momentBefore(systemClock),
    );
}

function list(): Command {
  return selecting(new Command('list'))
    .description('List parked events, oldest first.')
    .option('--limit <n>', 'at most so many', integerFrom(1, 100_000), 100)
    .addHelpText(
      'after',
      '\nExamples:\n  npm run -s catalog -- parked list --limit 20\n  npm run -s catalog -- parked list --code unknown_version --since 12h --json',
    )
    .action(({ limit, json, ...filter }: ParkedFilter & { limit: number; json?: boolean }) =>
      withParts('parked', 'read', async ({ parts }) => {
        const { shown, more } = await firstOf(parts.documents, filter, limit);
        const rows = shown.map(summary);
        if (json) return printJson({ parked: rows, more });
        if (shown.length === 0) return print('No parked events.');
        print(
          table({ id: 'id', parked: 'parked_at', type: 'type', subject: 'subject', reason: 'reason' }, rows),
        );
        if (more)
          print(`There are more: raise --limit above ${number(limit)}, or select with --code or --since.`);
      }),
    );
}

async function firstOf(
  documents: Documents,
  filter: ParkedFilter,
  limit: number,
): Promise<{ readonly shown: readonly Stored<ParkedEvent>[]; readonly more: boolean }> {
  const found: Stored<ParkedEvent>[] = [];
  for await (const page of parkedEvents(documents, filter)) {
    found.push(...page);
    if (found.length > limit) break;
  }
  return { shown: found.slice(0, limit), more: found.length > limit };
}

function summary({ id, body }: Stored<ParkedEvent>) {
  const { rejection, state, position, to, timestamp, parkedAt, redrives } = body;
  const { id: event_id, ...why } = rejection;
  return {
    id,
    state,
    ...why,
    ...(to === undefined ? {} : { positions: `${position} to ${to - 1}` }),
    event_id,
    recorded_at: toInstant(timestamp),
    parked_at: toInstant(parkedAt),
    redrives,
  };
}

function show(): Command {
  return new Command('show')
    .description('Show one parked event with its headers and raw bytes.')
    .argument('<id>', 'as "parked list" shows it')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- parked show listings@1/catalog.entries/0/17')
    .action((id: string, { json }: { json?: boolean }) =>
      withParts('parked', 'read', async ({ parts }: Work) => {
        const stored = (await parts.documents.get<ParkedEvent>(PARKED.name, [id])).get(id);
        if (!stored)
          throw new PermanentError(
            `There is no parked event ${id}. "${commandLine('parked list')}" shows what there is.`,
          );
        const { key, headers, value } = stored.body;
        // What is no UTF-8 shows its replacement characters: the bytes themselves are in `value_base64`.
        const bytes = value === null ? null : Buffer.from(value, 'base64');
        const isRange = stored.body.to !== undefined;
        const shown = {
          ...summary(stored),
          key,
          headers,
          value: isRange ? null : (bytes?.toString('utf8') ?? null),
        };
        if (json) return printJson({ ...shown, value_base64: value });
        const rows: [string, string | number | null][] = Object.entries({
          ...shown,
          headers: JSON.stringify(headers),
        });
        if (isRange && bytes)
          rows.push(['bytes', `${number(bytes.length)} of them: --json shows them in Base64`]);
        for (const [name, content] of rows) print(`${name.padEnd(11)}  ${content ?? '-'}`);
      }),
    );
}
