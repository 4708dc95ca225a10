import { REJECTION_CODES } from '../../../events/rejection.ts';
import { toInstant } from '../../../platform/time/instant.ts';
import { number } from '../../../texts/plain.ts';
import { parkedEvents, type ParkedFilter } from '../../../projecting/engine/parked-events.ts';
import type { ParkedEvent } from '../../../projecting/engine/parking.ts';
import type { Documents, Stored } from '../../../stores/documents/port.ts';
import { commandOf } from '../../command.ts';
import { choice, integer, moment, textOption } from '../../options.ts';
import { print, printJson } from '../../output.ts';
import { table } from '../../table.ts';

/** The options that select parked events. */
export const SELECTING = {
  topic: textOption('<topic>', 'of one topic alone'),
  code: choice('<code>', 'refused for one reason alone', Object.keys(REJECTION_CODES)),
  source: textOption('<source>', 'of one publisher alone, as its events name it'),
  since: moment('<when>', 'parked since: how long ago (30m, 12h, 7d), or an RFC 3339 date-time'),
};

export const list = commandOf('read', {
  takes: { ...SELECTING, limit: integer('<n>', 'at most so many', [1, 100_000], 100) },
  help: `
Examples:
  npm run -s catalog -- parked list --limit 20
  npm run -s catalog -- parked list --code unknown_version --since 12h --json`,
  run: async ({ parts }, { limit, json, ...filter }) => {
    const { shown, more } = await firstOf(parts.documents, filter, limit);
    const rows = shown.map(summary);
    if (json) return printJson({ parked: rows, more });
    if (shown.length === 0) return print('No parked events.');
    print(table({ id: 'id', parked: 'parked_at', type: 'type', subject: 'subject', reason: 'reason' }, rows));
    if (more)
      print(`There are more: raise --limit above ${number(limit)}, or select with --code or --since.`);
  },
});

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

/** What is told of a parked event wherever it is shown. */
export function summary({ id, body }: Stored<ParkedEvent>) {
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
