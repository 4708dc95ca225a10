import { REJECTION_CODES } from '../../events/rejection.ts';
import { parkedEventFields } from '../../operations/parked-event-fields.ts';
import { type SettleAction, type SettlementReport, settleParked } from '../../operations/settle-parked.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { parkedEvents } from '../../projecting/engine/parked-queries.ts';
import { PARKED, type ParkedEvent } from '../../projecting/engine/parking.ts';
import type { Stored } from '../../stores/documents/port.ts';
import { number } from '../../texts/english-amounts.ts';
import { commandOf } from '../command.ts';
import { argument, choice, flag, integer, moment, textOption } from '../option-builders.ts';
import { note, print, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { table } from '../table.ts';

/** The options that select parked events. */
const SELECTING = {
  topic: textOption('<topic>', 'of one topic alone'),
  code: choice('<code>', 'refused for one reason alone', Object.keys(REJECTION_CODES)),
  source: textOption('<source>', 'of one publisher alone, as its events name it'),
  since: moment('<when>', 'parked since: how long ago (30m, 12h, 7d), or an RFC 3339 date-time'),
};

export const list = commandOf('read', {
  takes: { ...SELECTING, limit: integer('<n>', 'at most so many', [1, 100_000], 100) },
  run: async ({ parts }, { limit, json, ...filter }) => {
    const found: Stored<ParkedEvent>[] = [];
    for await (const page of parkedEvents(parts.documents, filter)) {
      found.push(...page);
      if (found.length > limit) break;
    }
    const rows = found.slice(0, limit).map(parkedEventFields);
    const more = found.length > limit;
    if (json) return printJson({ parked: rows, more });
    if (rows.length === 0) return print(noneOf(filter));
    print(table({ id: 'id', parked: 'parked_at', type: 'type', subject: 'subject', reason: 'reason' }, rows));
    if (more)
      print(`There are more: raise --limit above ${number(limit)}, or select with --code or --since.`);
  },
});

export const show = commandOf('read', {
  takes: { id: argument('<id>', 'as "parked list" shows it') },
  run: async ({ parts }, { id, json }) => {
    const stored = (await parts.documents.get<ParkedEvent>(PARKED.name, [id])).get(id);
    if (!stored)
      throw new PermanentError(
        `There is no parked event ${id}. "${commandLine('parked list')}" shows what there is.`,
      );
    const { key, headers, value, to } = stored.body;
    // What is no UTF-8 shows its replacement characters: the bytes themselves are in `value_base64`.
    const bytes = value === null ? null : Buffer.from(value, 'base64');
    const isRange = to !== undefined;
    const text = isRange ? null : (bytes?.toString('utf8') ?? null);
    const shown = { ...parkedEventFields(stored), key, headers, value: text };
    if (json) return printJson({ ...shown, value_base64: value });
    const rows: Record<string, string | number | null> = { ...shown, headers: JSON.stringify(headers) };
    if (isRange && bytes) rows['bytes'] = `${number(bytes.length)} of them: --json shows them in Base64`;
    for (const [name, content] of Object.entries(rows)) print(`${name.padEnd(11)}  ${content ?? '-'}`);
  },
});

/** The commands that take events off the list of the parked ones. */
export const redrive = settle('redrive');
export const discard = settle('discard');

function settle(action: SettleAction) {
  return commandOf('change', {
    takes: {
      ids: argument('[ids...]', 'as "parked list" shows them'),
      all: flag('every parked event, or every one that the options below select'),
      ...SELECTING,
    },
    run: async ({ parts, signal }, { ids, all = false, json = false, ...filter }) => {
      if ((ids.length === 0) === !all) throw new UsageError('Give the ids of parked events, or --all.');
      if (!all && Object.keys(filter).length > 0)
        throw new UsageError('Options that select go together with --all, not with ids.');
      using progress = showProgress();
      const settled = await settleParked(parts, signal, {
        action,
        of: all ? { filter } : { ids },
        onSettled: (result, done, total) => {
          // Of many, those that need a look.
          if (!json && (!all || result.outcome === 'still_rejected')) print(lineOf(result));
          progress.update('parked events', done, total);
        },
      });
      progress[Symbol.dispose]();
      const { chosen, results, counts } = settled;
      const isStopped = results.length < chosen;
      if (json) printJson({ ...counts, interrupted: isStopped, results });
      else if (all) print(results.length === 0 ? noneOf(filter) : summaryOf(settled));
      if (isStopped) note(`catalog: stopped; ${number(chosen - results.length)} are left as they were.`);
      const hasFailed = counts.still_rejected > 0 || (!all && counts.gone > 0);
      return isStopped || hasFailed ? 1 : 0;
    },
  });
}

function lineOf(result: SettlementReport['results'][number]): string {
  if (result.outcome === 'gone') return `${result.id}: gone: there is no such parked event (any more)`;
  return `${result.id}: ${result.outcome}${'reason' in result ? `: ${result.reason}` : ''}`;
}

function noneOf(filter: object): string {
  return Object.keys(filter).length > 0 ? 'No parked event is selected by this.' : 'No parked events.';
}

function summaryOf({ counts }: SettlementReport): string {
  const parts = Object.entries(counts).flatMap(([outcome, count]) =>
    count === 0 ? [] : [`${number(count)} ${outcome.replace('_', ' ')}`],
  );
  return `${parts.join(', ')}.`;
}
