import type { Status } from '../../src/monitor/status-schema.ts';
import { hourView, type DefinedTarget, type HourView } from '../../projections/monitor/document.ts';
import { monitor } from '../../projections/monitor/index.ts';
import { DEFAULT_POLICY, type Policy } from '../../src/monitor/policy.ts';
import type { ReadHealth } from '../../src/monitor/reports-complete-until.ts';
import type { Link } from '../../src/monitor/reading/summary-chain.ts';
import { advanceHour } from '../../src/monitor/hour-summary.ts';
import { hourSince } from '../../src/monitor/rounds.ts';
import { statusOf } from '../../src/monitor/status.ts';
import type { TargetData } from '../../src/monitor/target-history.ts';
import type { CatalogEvent } from '../../src/events/event.ts';
import type {
  ProbeCompleted,
  ProbeCompletedData,
  TargetDefined,
  TargetRemoved,
} from '../../src/events/monitor-events.ts';
import { digestHex } from '../../src/platform/canonical.ts';
import { byDocument, fold } from './laws.ts';

/** Probes written as letters, and the status that follows from them through documents and views. */

/** The first round of most cases: 10:00 UTC, the beginning of an hour. */
export const FIRST = Date.parse('2026-11-20T10:00:00Z') / 60_000;
export const MINUTE = 60_000;
const SETTLE = 15_000;
const POINTS = ['ap', 'eu', 'us'];

export interface ToldProbe extends Partial<ProbeCompletedData> {
  readonly target?: string;
  readonly round: number;
  /** Told apart by it at one round and place; else by what is in it. */
  readonly digest?: string;
}

/** A probe as decoding would give it. It is checked ten seconds into its round, unless that is told. */
export function probe({ target: subject = 'bot_api', digest, ...told }: ToldProbe): ProbeCompleted {
  const data: ProbeCompletedData = {
    vantage_point: 'eu',
    checked_at: new Date(told.round * MINUTE + 10_000).toISOString(),
    result: 'ok',
    latency_ms: told.result === 'fail' ? null : 100,
    cause: null,
    attempts: 1,
    ...told,
  };
  const stamp = digest ?? digestHex(data);
  return {
    type: 'monitor.probe.completed',
    id: stamp,
    source: '/monitor',
    subject,
    time: data.checked_at,
    digest: stamp,
    data,
  };
}

export function target(id: string, critical = true, revision = 1): TargetDefined {
  return {
    type: 'monitor.target.defined',
    id,
    source: '/monitor',
    subject: id,
    time: '2026-11-20T09:00:00.000Z',
    digest: '00',
    data: { revision, name: { ru: `${id} по-русски`, en: id }, critical, slow_ms: 2000 },
  };
}

/** A target that is removed at this moment, and defined again by the next revision. */
export function redefined(
  id: string,
  at: number,
  { revision = 2, critical = true } = {},
): readonly [TargetRemoved, TargetDefined] {
  const removal: TargetRemoved = {
    type: 'monitor.target.removed',
    id: `${id}-${revision}`,
    source: '/monitor',
    subject: id,
    time: new Date(at).toISOString(),
    digest: '00',
    data: { revision },
  };
  return [removal, target(id, critical, revision + 1)];
}

/**
 * A letter for each round, three probes for each letter: `o` all ok; `w` weak, one of them fails; `s` weak, all of them
 * are slow; `f` all fail; `-` silence. Spaces are for the eye. They are checked 10, 20 and 30 seconds into the round.
 */
export function rounds(letters: string, told: Partial<ToldProbe> = {}): readonly ProbeCompleted[] {
  const first = told.round ?? FIRST;
  return Array.from(letters.replaceAll(' ', '')).flatMap((letter, index) =>
    resultsOf(letter).map((result, place) => {
      const round = first + index;
      const checked_at = new Date(round * MINUTE + (place + 1) * 10_000).toISOString();
      const cause = result === 'fail' ? (told.cause ?? 'timeout') : null;
      const vantage_point = POINTS[place] ?? '';
      return probe({ ...told, round, checked_at, result, cause, vantage_point });
    }),
  );
}

function resultsOf(letter: string): readonly ProbeCompletedData['result'][] {
  switch (letter) {
    case 'o':
      return ['ok', 'ok', 'ok'];
    case 'w':
      return ['fail', 'ok', 'ok'];
    case 's':
      return ['slow', 'slow', 'slow'];
    case 'f':
      return ['fail', 'fail', 'fail'];
    case '-':
      return [];
    default:
      throw new Error(`No round is written ${letter}`);
  }
}

/** When the n-th round after `FIRST` counts, the first being the 0th. */
export function countedAt(index: number): number {
  return (FIRST + index + 1) * MINUTE + SETTLE;
}

/** The same as it is shown. */
export function shownAt(index: number): string {
  return new Date(countedAt(index)).toISOString().replace('.000', '');
}

/** The documents of these events, as readers hold them: nothing summarised. */
export function watched(events: readonly CatalogEvent[]): readonly TargetData[] {
  const targets: DefinedTarget[] = [];
  const hours: HourView[] = [];
  for (const [id, ofOne] of byDocument(monitor, events)) {
    const view = monitor.view(id, folded(ofOne) as Parameters<typeof monitor.view>[1]);
    if (view.kind === 'target') targets.push(...(view.defined ? [view] : []));
    else hours.push(hourView.parse(view));
  }
  return targets
    .sort((a, b) => (a.target < b.target ? -1 : 1))
    .map((view) => ({
      target: view,
      summaries: [],
      hours: hours
        .filter((hour) => hour.target === view.target)
        .map((hour) => hourSince(hour, view.since))
        .sort((a, b) => a.hour - b.hour),
    }));
}

/** By halves: a register is copied for whatever is joined to it, and an hour has hundreds of probes. */
function folded(events: readonly CatalogEvent[]): unknown {
  if (events.length < 4) return fold(monitor, events);
  const middle = Math.floor(events.length / 2);
  return monitor.registers.join(
    folded(events.slice(0, middle)) as never,
    folded(events.slice(middle)) as never,
  );
}

/** Everything read at this moment, and nothing behind. */
export function inTime(now: number): ReadHealth {
  return { lagMs: 0, readAt: now, storesDown: false };
}

export function statusAfter(
  events: readonly CatalogEvent[],
  now: number,
  policy: Policy = DEFAULT_POLICY,
): Status {
  return statusOf(watched(events), now, policy, inTime(now));
}

/** The status of `bot_api` alone, at the moment when the last of these rounds counts. */
export function statusOfRounds(letters: string, told: Partial<ToldProbe> = {}): Status {
  const length = letters.replaceAll(' ', '').length;
  return statusAfter([target('bot_api'), ...rounds(letters, told)], countedAt(length - 1));
}

/** What is kept of an hour with these rounds, as the monitor document of a version says. */
export function hourLink(version: string, letters = 'ooo'): Link {
  const [hour] = watched([target('bot_api'), ...rounds(letters)])[0]?.hours ?? [];
  if (!hour) throw new Error('There is an hour');
  return { version, summary: advanceHour(null, hour, DEFAULT_POLICY) };
}
