import { Command } from 'commander';

import { REJECTED } from '../../events/types.ts';
import { systemClock } from '../../platform/clock.ts';
import { toInstant } from '../../platform/instant.ts';
import { PARKED, type ParkedEvent } from '../../projecting/engine/parking.ts';
import { readRejections, type Announcement } from '../../projecting/inspect/rejections.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { withParts, type Finish } from '../command.ts';
import { integerFrom, momentBefore } from '../options.ts';
import { counted } from '../../platform/amounts.ts';
import { note, print, printJson } from '../output.ts';
import { table, type Columns } from '../table.ts';

export function rejected(_finish: Finish): Command {
  return new Command('rejected')
    .option('--source <source>', 'of one publisher alone, as its events name it')
    .option(
      '--since <when>',
      'how long ago (30m, 12h, 7d), or an RFC 3339 date-time',
      momentBefore(systemClock),
    )
    .option('--limit <n>', 'the newest ones', integerFrom(1, 100_000), 100)
    .option('--json', 'for scripts')
    .addHelpText('after', HELP)
    .action(({ source, since = 0, limit, json }: RejectedOptions) =>
      withParts('rejected', 'read', async ({ parts, signal }) => {
        const topic = parts.topicName(REJECTED);
        const { announcements, older, skipped } = await readRejections(parts.log, {
          topic,
          source: source ?? null,
          since,
          limit,
          signal,
        });
        const states = await statesOf(parts.documents, announcements);
        const reports = announcements.map((one) => report(one, states.get(one.parkedId)));
        if (json) return printJson({ rejected: reports, older, skipped });
        print(reports.length === 0 ? 'No rejected events.' : table(COLUMNS, reports));
        if (skipped > 0)
          note(
            `${counted(skipped, 'record')} that ${skipped === 1 ? 'is no rejection was' : 'are no rejections were'} skipped: who else writes to this topic?`,
          );
        if (older > 0) print(`... and ${counted(older, 'older one')}: raise --limit.`);
      }),
    );
}

const HELP = `
Announcements are kept for 30 days. "now" says what has become of the event since: "parked", "discarded", or "settled"
(it was redriven). An operator decides about it with "parked".

Examples:
  npm run -s catalog -- rejected --source /me --since 1h
  npm run -s catalog -- rejected --json --limit 1000`;

interface RejectedOptions {
  readonly source?: string;
  readonly since?: number;
  readonly limit: number;
  readonly json?: boolean;
}

type State = ParkedEvent['state'] | 'settled';

async function statesOf(
  documents: Documents,
  announcements: readonly Announcement[],
): Promise<ReadonlyMap<string, State>> {
  const ids = [...new Set(announcements.map(({ parkedId }) => parkedId))];
  const stored = await documents.get<ParkedEvent>(PARKED.name, ids);
  return new Map(ids.map((id) => [id, stored.get(id)?.body.state ?? 'settled']));
}

function report(announcement: Announcement, state: State | undefined) {
  const { parkedId, readModel, announcedAt, id: event_id, ...rest } = announcement;
  const announced_at = toInstant(announcedAt);
  return { event_id, ...rest, read_model: readModel, parked_id: parkedId, state, announced_at };
}

const COLUMNS: Columns<ReturnType<typeof report>> = {
  announced: 'announced_at',
  source: 'source',
  event: 'event_id',
  subject: 'subject',
  now: 'state',
  'code: reason': ({ code, reason }) => `${code}: ${reason}`,
};
