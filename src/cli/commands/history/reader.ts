import type { Parts } from '../../../compose/parts.ts';
import type { UnreadableRange } from '../../../events/log/port.ts';
import { readModelOf } from '../../../operations/named-builds.ts';
import { PermanentError, UsageError } from '../../../platform/errors.ts';
import { openPast, type Past, type PastLane } from '../../../projecting/inspect/past.ts';
import { showProgress } from '../../progress.ts';

/** What all questions about the past have in common: which part of the log they read, and what it no longer holds. */
export interface PastReader extends Disposable {
  readonly parts: Parts;
  open(readModel: string, topics?: readonly string[]): Promise<Past>;
  /**
   * Holds a moment against what was opened: between the log's beginning and now.
   * @throws {UsageError} where it lies outside; it names the range.
   * @throws {PermanentError} where the log holds nothing.
   */
  checkMoment(option: string, at: number): void;
  /** Of what was read so far. */
  doubts(): Doubts;
}

/** What makes an answer less than certain; nothing where the log is whole. */
export interface Doubts {
  readonly cut: readonly CutLane[];
  /** Nobody knows whom it is about. Positions of a partition: [from, to). */
  readonly unreadable: readonly Pick<UnreadableRange, 'topic' | 'partition' | 'from' | 'to' | 'reason'>[];
}

/** A partition whose beginning the log no longer holds. */
interface CutLane {
  readonly topic: string;
  readonly partition: number;
  /** The oldest position kept. */
  readonly from: number;
  /** When that came into the log, RFC 3339; null where nothing is kept. */
  readonly since: string | null;
}

export function openPastReader(parts: Parts, signal: AbortSignal): PastReader {
  const { log, documents, decode, topicName } = parts;
  const progress = showProgress('records read');
  const onProgress = (records: number): void => progress.update(records, null);
  const lanes: PastLane[] = [];
  // What is read twice is told once.
  const unreadable = new Map<string, Doubts['unreadable'][number]>();
  const onUnreadable = ({ topic, partition, from, to, reason }: UnreadableRange): void =>
    void unreadable.set(`${topic}/${partition}/${from}`, { topic, partition, from, to, reason });
  const past = { log, documents, decode, topicName, signal, onProgress, onUnreadable };
  return {
    parts,
    open: async (readModel, topics) => {
      const opened = await openPast(readModelOf(parts, readModel), past, topics);
      lanes.push(...opened.lanes);
      return opened;
    },
    checkMoment: (option, at) => checkMoment(option, at, lanes, parts.clock.now()),
    doubts: () => ({ cut: lanes.filter(isCut).map(cutLane), unreadable: [...unreadable.values()] }),
    [Symbol.dispose]: () => progress[Symbol.dispose](),
  };
}

function isCut({ earliest }: PastLane): boolean {
  return earliest > 0;
}

function cutLane({ topic, partition, earliest, beganAt }: PastLane): CutLane {
  return { topic, partition, from: earliest, since: beganAt === null ? null : instant(beganAt) };
}

function checkMoment(option: string, at: number, lanes: readonly PastLane[], now: number): void {
  const began = (some: readonly PastLane[]) => some.flatMap(({ beganAt }) => beganAt ?? []);
  if (began(lanes).length === 0) throw new PermanentError('The log holds no events to answer from.');
  // Of a partition that was cut, what came before its oldest record is not known.
  const cut = began(lanes.filter(isCut));
  const from = cut.length === 0 ? Math.min(...began(lanes)) : Math.max(...cut);
  if (at >= from && at <= now) return;
  const why = cut.length === 0 ? 'the log begins then' : 'the log no longer holds what came before';
  throw new UsageError(
    `${option} must lie between ${instant(from)} (${why}) and now, ${instant(now)}; got ${instant(at)}.`,
  );
}

const CUT_SHOWN = 3;

/** A line for each. */
export function doubtLines({ cut, unreadable }: Doubts): readonly string[] {
  const named = cut
    .slice(0, CUT_SHOWN)
    .map(({ topic, partition, from, since }) => {
      return `${topic}/${partition} begins at position ${from} (${since ?? 'nothing is kept'})`;
    })
    .join(', ');
  const rest = cut.length > CUT_SHOWN ? `, and ${cut.length - CUT_SHOWN} more partitions` : '';
  return [
    ...(cut.length === 0
      ? []
      : [
          `The log no longer holds its beginning: ${named}${rest}. What stood there is missing in this answer.`,
        ]),
    ...unreadable.map(({ topic, partition, from, to, reason }) => {
      return `${topic}/${partition} cannot be read from position ${from} to ${to - 1}, and is left out: ${reason}`;
    }),
  ];
}

/** As people and scripts read it; years that no text has are those of a broken clock. */
export function instant(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}
