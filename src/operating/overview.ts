import type { Parts } from '../compose/parts.ts';
import { messageOf, PermanentError, RetryableError } from '../platform/errors.ts';
import { instantAt } from '../access/keys/changes.ts';
import type { Instant } from '../platform/instant.ts';
import { parkedEvents } from '../projecting/engine/parked-events.ts';
import { PARKED, type ParkedEvent } from '../projecting/engine/parking.ts';
import type { Stored } from '../stores/documents/port.ts';
import { readActs, readVerification, type ShownAct } from './acts.ts';
import { readQuotaToday, type QuotaToday } from './quota-today.ts';
import { readStatus, type StatusReport } from './status.ts';
import { readVersions, type Version } from './versions.ts';

/**
 * What the operator page shows, as plain values. A part that cannot be read does not hide the others.
 * `all`: the process projects, so it sees the log and may change things. `served`: it serves, and reads the documents alone.
 */
export interface Overview {
  readonly at: Instant;
  readonly status: Section<StatusReport>;
  readonly versions: Section<readonly Version[]>;
  readonly parked: Section<readonly ParkedSummary[]>;
  readonly quota: Section<QuotaToday>;
  readonly verification: Section<{ readonly last: ShownAct | null; readonly ended: ShownAct | null }>;
  readonly acts: Section<readonly ShownAct[]>;
}

export type Scope = 'all' | 'served';

export type Section<T> = { readonly value: T } | { readonly trouble: string };

export interface ParkedSummary {
  readonly id: string;
  readonly code: string;
  readonly type: string | null;
  readonly subject: string | null;
  readonly source: string | null;
  readonly reason: string;
  readonly parkedAt: Instant;
  readonly redrives: number;
}

export interface ParkedWhole extends ParkedSummary {
  readonly state: ParkedEvent['state'];
  readonly key: string | null;
  readonly headers: string;
  /** As UTF-8, the first characters of it; null where there is none. */
  readonly value: string | null;
  readonly bytes: number;
}

/** Listed at most: events, and acts. */
const PARKED_LISTED = 50;
const ACTS_LISTED = 20;
/** Of the value of one event, in characters. */
const VALUE_SHOWN = 20_000;

export async function readOverview(parts: Parts, signal: AbortSignal, scope: Scope): Promise<Overview> {
  const { documents } = parts;
  return {
    at: instantAt(await documents.now()),
    status: await section(() => readStatus(parts, signal, { seesLog: scope === 'all' })),
    versions: await section(() => readVersions(parts)),
    parked: await section(() => firstParked(parts)),
    quota: await section(() => readQuotaToday(parts)),
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

async function firstParked({ documents }: Parts): Promise<readonly ParkedSummary[]> {
  for await (const page of parkedEvents(documents, {})) return page.slice(0, PARKED_LISTED).map(summaryOf);
  return [];
}

function summaryOf({ id, body }: Stored<ParkedEvent>): ParkedSummary {
  const { rejection, parkedAt, redrives } = body;
  const { code, reason, type, subject, source } = rejection;
  return { id, code, reason, type, subject, source, parkedAt: instantAt(parkedAt), redrives };
}

/** null where there is no such parked event. */
export async function readParked({ documents }: Parts, id: string): Promise<ParkedWhole | null> {
  const stored = (await documents.get<ParkedEvent>(PARKED.name, [id])).get(id);
  if (!stored) return null;
  const { key, headers, value, state } = stored.body;
  const bytes = value === null ? null : Buffer.from(value, 'base64');
  return {
    ...summaryOf(stored),
    state,
    key,
    headers: JSON.stringify(headers, null, 2),
    value: bytes?.toString('utf8').slice(0, VALUE_SHOWN) ?? null,
    bytes: bytes?.length ?? 0,
  };
}
