import { Command } from 'commander';

import { conflictPause, createRetry } from '../projecting/retry.ts';
import { PARKED, type ParkedEvent } from '../projecting/parking.ts';
import { discard, redrive, type Settled } from '../projecting/redrive.ts';
import { toInstant } from '../platform/instant.ts';
import { PermanentError, UsageError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Documents, Stored } from '../stores/documents/port.ts';
import { withParts, type Finish, type Work } from './command.ts';
import { print, printJson, table } from './output.ts';

export function parked(finish: Finish): Command {
  return new Command('parked')
    .description('Look after parked events: records that could not be folded and wait for a decision.')
    .usage('list|show|redrive|discard [OPTIONS]')
    .helpCommand(false)
    .addCommand(list())
    .addCommand(show())
    .addCommand(
      settle('redrive', 'Decode and fold parked events again, after a mended schema or release.', finish),
    )
    .addCommand(
      settle('discard', 'Drop the content of parked events for good, and remember the decision.', finish),
    )
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- parked list');
}

function list(): Command {
  return new Command('list')
    .description('List parked events, oldest first.')
    .option('--limit <n>', 'at most so many', positive, 100)
    .option('--json', 'for scripts')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- parked list --limit 20')
    .action(({ limit, json }: { limit: number; json?: boolean }) =>
      withParked(async ({ parts }) => {
        const { documents, next } = await parts.documents.find<ParkedEvent>(PARKED.name, {
          where: { state: 'parked' },
          order: ['parkedAt'],
          limit,
        });
        if (json) return printJson({ parked: documents.map(summary), more: next !== null });
        if (documents.length === 0) return print('No parked events.');
        print(table(['id', 'parked', 'type', 'subject', 'reason'], documents.map(row)));
        if (next !== null) print(`There are more: raise --limit above ${limit}.`);
      }),
    );
}

function row({ id, body }: Stored<ParkedEvent>): readonly string[] {
  const { type, subject, reason } = body.rejection;
  return [id, toInstant(body.parkedAt) ?? '-', type ?? '-', subject ?? '-', reason];
}

function summary({ id, body }: Stored<ParkedEvent>): object {
  const { rejection, state, timestamp, parkedAt, redrives } = body;
  const { id: event_id, ...why } = rejection;
  return {
    id,
    state,
    ...why,
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
    .action((id: string) =>
      withParked(async ({ parts }) => {
        const stored = await load(parts.documents, id);
        const { key, headers, value } = stored.body;
        const text = value === null ? null : Buffer.from(value, 'base64').toString('utf8');
        printJson({ ...summary(stored), key, headers, value: text });
      }),
    );
}

function settle(action: 'redrive' | 'discard', description: string, finish: Finish): Command {
  return new Command(action)
    .description(description)
    .argument('[ids...]', 'as "parked list" shows them')
    .option('--all', 'every parked event')
    .option('--json', 'for scripts')
    .addHelpText(
      'after',
      `\nExample:\n  npm run -s catalog -- parked ${action} listings@1/catalog.entries/0/17`,
    )
    .action((ids: readonly string[], { all, json }: { all?: boolean; json?: boolean }) =>
      withParked(async (work) => {
        if ((ids.length === 0) === !all) throw new UsageError('Give the ids of parked events, or --all.');
        const results: ({ readonly id: string } & Settled)[] = [];
        const chosen = all ? await everyParked(work.parts.documents) : ids;
        for (const id of chosen) {
          if (work.signal.aborted) break;
          const stored = await load(work.parts.documents, id);
          const settled =
            action === 'redrive'
              ? await redriveOne(stored, work)
              : await discard(work.parts.documents, stored);
          results.push({ id, ...settled });
          tell(work.parts.logger, id, settled);
          if (!json) print(`${id}: ${settled.outcome}${'reason' in settled ? `: ${settled.reason}` : ''}`);
        }
        if (json) printJson({ results });
        else if (results.length === 0) print('No parked events.');
        if (results.some((result) => result.outcome === 'still_rejected')) finish(1);
      }),
    );
}

function tell(logger: Logger, id: string, settled: Settled): void {
  switch (settled.outcome) {
    case 'redriven':
      return logger.info({ parked: id }, 'event redriven');
    case 'discarded':
      return logger.info({ parked: id }, 'event discarded');
    case 'still_rejected':
      return logger.info({ parked: id, reason: settled.reason }, 'event still refused');
    case 'gone':
      return logger.info({ parked: id }, 'event gone: somebody else has redriven it');
  }
}

function redriveOne(stored: Stored<ParkedEvent>, { parts, signal }: Work): Promise<Settled> {
  const { documents, projections, decode, clock, logger } = parts;
  const retry = createRetry({ clock, logger, signal });
  const pause = (attempt: number): Promise<void> => clock.sleep(conflictPause(attempt, Math.random), signal);
  return redrive(stored, { documents, projections, decode, retry, pause, now: clock.now() });
}

async function everyParked(documents: Documents): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const batch of documents.scan<ParkedEvent>(PARKED.name)) {
    for (const { id, body } of batch) if (body.state === 'parked') ids.push(id);
  }
  return ids;
}

async function load(documents: Documents, id: string): Promise<Stored<ParkedEvent>> {
  const stored = (await documents.get<ParkedEvent>(PARKED.name, [id])).get(id);
  if (!stored)
    throw new PermanentError(`There is no parked event ${id}. "catalog parked list" shows what there is.`);
  return stored;
}

function withParked(work: (work: Work) => Promise<void>): Promise<void> {
  return withParts('parked', async (given) => {
    await given.parts.documents.declare(PARKED);
    await work(given);
  });
}

function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`Expected a whole number from 1, got "${text}".`);
  return Number(text);
}
