import type { Parts } from '../compose/parts.ts';
import { messageOf, PermanentError, RetryableError } from '../platform/errors.ts';
import { instantAt } from '../platform/time/instant.ts';
import { oldestParked } from '../projecting/engine/parked-queries.ts';
import { PARKED, type ParkedEvent } from '../projecting/engine/parking.ts';
import { readActs, readVerification } from './act-log.ts';
import { parkedEventFields, type ParkedEventFields } from './parked-event-fields.ts';
import type { Role } from './process-role.ts';
import { readStatus, type StatusReport } from './status.ts';
import { readVersions } from './list-builds.ts';

export type Overview = Awaited<ReturnType<typeof readOverview>>;

export type Section<T> = { readonly value: T } | { readonly trouble: string };

export type ParkedWhole = NonNullable<Awaited<ReturnType<typeof readParked>>>;

export type BuildProgress = ReturnType<typeof buildProgress>;

/** Listed at most: events, and acts. */
const PARKED_LISTED = 20;
const ACTS_LISTED = 20;
/** Of the value of one event, of its headers, and of a text in a list, in characters. Escaped, they take six times as much. */
const VALUE_SHOWN = 8000;
const HEADERS_SHOWN = 4000;
const LISTED_TEXT = 200;

/**
 * What the operator page shows, as plain values. A part that cannot be read does not hide the others. Where the process
 * does not project, it reads the documents alone.
 */
export async function readOverview(parts: Parts, signal: AbortSignal, role: Role) {
  const { documents } = parts;
  const now = await documents.now();
  const status = await section(() => readStatus(parts, signal, { seesLog: role === 'project' }));
  const report = 'value' in status ? status.value : null;
  return {
    at: instantAt(now),
    status,
    versions: await section(async () =>
      (await readVersions(parts)).map((one) => ({ ...one, ...buildProgress(one.build, report) })),
    ),
    parked: await section(() => firstParked(parts)),
    verification: await section(() => readVerification(documents)),
    acts: await section(() => readActs(documents, ACTS_LISTED)),
  };
}

async function section<T>(read: () => Promise<T>): Promise<Section<T>> {
  try {
    return { value: await read() };
  } catch (thrown) {
    if (!(thrown instanceof RetryableError || thrown instanceof PermanentError)) throw thrown;
    return { trouble: messageOf(thrown) };
  }
}

/**
 * How far a build is through the log. `share`: of the log, from 0 to 1, that its lanes have consumed; `left`: records that it has
 * still to take in; both null where this process does not see the log. `lag_ms`: how long the oldest of them has been waiting, as
 * projectors say; null without any, and where nobody says it.
 */
function buildProgress(build: string, report: Pick<StatusReport, 'lanes' | 'read_models'> | null) {
  const lag_ms = report?.read_models.find(({ read_model }) => read_model === build)?.lag_ms ?? null;
  const own = report?.lanes.filter(({ lane }) => lane.startsWith(`${build}/`)) ?? [];
  if (own.length === 0) return { share: null, left: null, lag_ms };
  const total = own.reduce((sum, { earliest, latest }) => sum + latest - earliest, 0);
  const left = own.reduce((sum, { lag }) => sum + lag, 0);
  // Of an empty log nothing is left to do.
  return { share: total === 0 ? 1 : Math.max(0, total - left) / total, left, lag_ms };
}

async function firstParked({ documents }: Parts): Promise<readonly ParkedEventFields[]> {
  const oldest = await oldestParked(documents, PARKED_LISTED);
  return oldest.map(parkedEventFields).map((event) => ({ ...event, reason: cut(event.reason, LISTED_TEXT) }));
}

/** With the first characters of its value as UTF-8, null where it has none; null where there is no such parked event. */
export async function readParked({ documents }: Parts, id: string) {
  const stored = (await documents.get<ParkedEvent>(PARKED.name, [id])).get(id);
  if (!stored) return null;
  const { key, headers, value } = stored.body;
  const bytes = value === null ? null : Buffer.from(value, 'base64');
  return {
    ...parkedEventFields(stored),
    key: key === null ? null : cut(key, LISTED_TEXT),
    headers: cut(JSON.stringify(headers, null, 2), HEADERS_SHOWN),
    value: bytes?.toString('utf8').slice(0, VALUE_SHOWN).toWellFormed() ?? null,
    bytes: bytes?.length ?? 0,
  };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}...`;
}
