import type { Parts } from '../../../compose/parts.ts';
import type { UnreadableRange } from '../../../events/log/port.ts';
import { slug as slugRule } from '../../../events/fields.ts';
import { PermanentError, UsageError } from '../../../platform/errors.ts';
import type { Projection } from '../../../projecting/engine/projection.ts';
import {
  pastLanes,
  readPast,
  type Asked,
  type PastLane,
  type PastParts,
  type PastRecord,
} from '../../../projecting/inspect/past.ts';
import { readAlias, type LiveAlias } from '../../../stores/live.ts';
import { readModelOf } from '../../../operating/named-builds.ts';
import { showProgress } from '../../progress.ts';

/** What all questions about the past have in common: which part of the log they read, and what it no longer holds. */

export interface Asking extends AsyncDisposable {
  readonly parts: Parts;
  readonly past: PastParts;
  /** Of what was read so far, what cannot be: nobody knows whom it is about. */
  readonly unreadable: readonly Unreadable[];
}

/** Positions of a partition: [from, to). */
export type Unreadable = Pick<UnreadableRange, 'topic' | 'partition' | 'from' | 'to' | 'reason'>;

/** A partition whose beginning the log no longer holds. Instants are RFC 3339. */
export interface CutLane {
  readonly topic: string;
  readonly partition: number;
  /** The oldest position kept. */
  readonly from: number;
  /** When that came into the log; null where nothing is kept. */
  readonly since: string | null;
}

/** The past of one read model, with the fold of this release. */
export interface Past {
  readonly projection: Projection;
  readonly alias: LiveAlias | null;
  readonly lanes: readonly PastLane[];
  readonly cut: readonly CutLane[];
  /** Of these subjects alone, where they are given. */
  records(subjects?: ReadonlySet<string>): AsyncIterable<PastRecord>;
}

export function asking(parts: Parts, signal: AbortSignal): Asking {
  const { log, documents, decode, topicName } = parts;
  const progress = showProgress('records read');
  const onProgress = (records: number): void => progress.update(records, null);
  const unreadable: Unreadable[] = [];
  const onUnreadable = ({ topic, partition, from, to, reason }: UnreadableRange): void => {
    // What is read twice is told once.
    const isKnown = unreadable.some(
      (one) => one.topic === topic && one.partition === partition && one.from === from,
    );
    if (!isKnown) unreadable.push({ topic, partition, from, to, reason });
  };
  const past = { log, documents, decode, topicName, signal, onProgress, onUnreadable };
  return { parts, past, unreadable, [Symbol.asyncDispose]: async () => progress[Symbol.dispose]() };
}

export async function openPast(
  { parts, past }: Asking,
  readModel: string,
  which: Pick<Asked, 'subject' | 'topics'> = {},
): Promise<Past> {
  const projection = readModelOf(parts, readModel);
  const alias = await readAlias(parts.documents, readModel);
  // The embedded log places every record itself; into Kafka others write, each by a rule of its own.
  const placed = parts.config.logUrl.scheme === 'sqlite' ? 'by_key' : 'anywhere';
  const asked: Asked = { projection, build: alias?.collection ?? null, placed, ...which };
  const lanes = await pastLanes(asked, past);
  return {
    projection,
    alias,
    lanes,
    cut: cutOf(lanes),
    records: (subjects) => readPast(lanes, { ...asked, ...(subjects && { subjects }) }, past),
  };
}

function cutOf(lanes: readonly PastLane[]): readonly CutLane[] {
  return lanes
    .filter(({ earliest, isRead }) => isRead && earliest > 0)
    .map(({ topic, partition, earliest, beganAt }) => {
      return { topic, partition, from: earliest, since: beganAt === null ? null : instant(beganAt) };
    });
}

/**
 * The slug as readers may write it, in any case.
 * @throws {UsageError} where it is none.
 */
export function readSlug(text: string): string {
  const read = slugRule.safeParse(text.toLowerCase());
  if (read.success) return read.data;
  throw new UsageError(
    `"${text}" is no slug: expected 1 to 128 of a-z, 0-9 and "-", with no "-" at either end.`,
  );
}

/**
 * Between the log's beginning and now.
 * @throws {UsageError} where the moment lies outside; it names the range.
 * @throws {PermanentError} where the log holds nothing.
 */
export function checkMoment(option: string, at: number, pasts: readonly Past[], now: number): void {
  const lanes = pasts.flatMap((past) => past.lanes);
  const began = lanes.flatMap(({ beganAt }) => beganAt ?? []);
  if (began.length === 0) throw new PermanentError('The log holds no events to answer from.');
  // Of a partition that was cut, what came before its oldest record is not known.
  const cut = lanes.flatMap((lane) => (lane.isRead && lane.earliest > 0 ? (lane.beganAt ?? []) : []));
  const from = cut.length === 0 ? Math.min(...began) : Math.max(...cut);
  if (at >= from && at <= now) return;
  const why = cut.length === 0 ? 'the log begins then' : 'the log no longer holds what came before';
  throw new UsageError(
    `${option} must lie between ${instant(from)} (${why}) and now, ${instant(now)}; got ${instant(at)}.`,
  );
}

/** What makes an answer less than certain, a line for each; none where the log is whole. */
export function doubts({ cut, unreadable }: Doubtful): readonly string[] {
  return [...cutLines(cut), ...unreadableLines(unreadable)];
}

export interface Doubtful {
  readonly cut: readonly CutLane[];
  readonly unreadable: readonly Unreadable[];
}

function unreadableLines(unreadable: readonly Unreadable[]): readonly string[] {
  return unreadable.map(({ topic, partition, from, to, reason }) => {
    return `${topic}/${partition} cannot be read from position ${from} to ${to - 1}, and is left out: ${reason}`;
  });
}

function cutLines(cut: readonly CutLane[]): readonly string[] {
  if (cut.length === 0) return [];
  const named = cut
    .slice(0, CUT_SHOWN)
    .map(({ topic, partition, from, since }) => {
      return `${topic}/${partition} begins at position ${from} (${since ?? 'nothing is kept'})`;
    })
    .join(', ');
  const rest = cut.length > CUT_SHOWN ? `, and ${cut.length - CUT_SHOWN} more partitions` : '';
  return [
    `The log no longer holds its beginning: ${named}${rest}. What stood there is missing in this answer.`,
  ];
}

const CUT_SHOWN = 3;

/** As people and scripts read it; years that no text has are those of a broken clock. */
export function instant(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}
