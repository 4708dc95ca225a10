import type { Status } from '../../../monitor/body.ts';
import type { Timelines } from '../../../monitor/timelines.ts';
import type { Frame } from '../shell/frame.ts';

/** An incident in words: for the page and for the feed. */
export interface ToldIncident {
  readonly id: string;
  readonly title: string;
  readonly severity: 'degraded' | 'down';
  readonly isOpen: boolean;
  readonly outcome: string;
  readonly cause: string | null;
  readonly startedAt: string;
  /** When something last changed about it. */
  readonly changedAt: string;
  /** What happened, the newest first. */
  readonly steps: readonly { readonly at: string; readonly text: string }[];
}

export function toldIncidents(
  { incidents, components }: Pick<Status, 'incidents' | 'components'>,
  timelines: Timelines,
  { locale, format, say, shell }: Pick<Frame, 'locale' | 'shell' | 'format' | 'say'>,
): readonly ToldIncident[] {
  const texts = shell.pages.status;
  const nameOf = (id: string) => components.find((one) => one.id === id)?.name[locale] ?? id;
  return incidents.map((incident) => {
    const {
      id,
      severity,
      cause,
      started_at: startedAt,
      resolved_at: resolvedAt,
      duration_s: duration,
    } = incident;
    const from = Date.parse(incident.detected_at);
    const changes = incident.components.flatMap((component) => {
      const known = (timelines.components.get(component)?.transitions ?? []).filter(({ at }) => at >= from);
      // The change to up comes some rounds after the first good check.
      const end = known.findIndex(({ at, state }) => at > from && state === 'up');
      const own = end < 0 ? known : known.slice(0, end + 1);
      return own.map(({ at, state }) => ({ at: new Date(at).toISOString(), text: texts.became[state] }));
    });
    const ends = resolvedAt === null ? [] : [{ at: resolvedAt, text: texts.ended }];
    const steps = [{ at: startedAt, text: texts.began }, ...changes, ...ends].sort(
      (a, b) => Date.parse(b.at) - Date.parse(a.at),
    );
    return {
      id,
      title: `${incident.components.map(nameOf).join(', ')}: ${texts.severity[severity]}`,
      severity,
      isOpen: resolvedAt === null,
      outcome: duration === null ? texts.open : say(texts.resolved, { duration: format.duration(duration) }),
      cause: cause === null ? null : say(texts.cause, { cause: causeIn(cause, texts.causes) }),
      startedAt,
      changedAt: steps[0]?.at ?? startedAt,
      steps,
    };
  });
}

/** The list may grow before this release knows of it. */
function causeIn(cause: string, known: Readonly<Record<string, string>>): string {
  return Object.hasOwn(known, cause) ? (known[cause] ?? cause) : cause;
}
