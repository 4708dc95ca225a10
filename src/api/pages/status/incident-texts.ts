import type { Status } from '../../../monitor/status-schema.ts';
import type { Transition } from '../../../monitor/machine-state.ts';
import type { Timelines } from '../../../monitor/timelines.ts';
import { nameOf } from '../../../texts/texts.ts';
import type { PageContext } from '../shell/page-context.ts';

/** The incidents in words: for the page and for the feed. */
export function toldIncidents(
  { incidents, components }: Pick<Status, 'incidents' | 'components'>,
  timelines: Timelines,
  { locale, format, say, shell }: Pick<PageContext, 'locale' | 'shell' | 'format' | 'say'>,
) {
  const texts = shell.pages.status;
  const titleOf = (id: string) => components.find((one) => one.id === id)?.name[locale] ?? id;
  return incidents.map((incident) => {
    const { id, severity, cause, started_at: startedAt, resolved_at: resolvedAt } = incident;
    const { duration_s: duration } = incident;
    const changes = incident.components.flatMap((component) => {
      // The next incident is among those that are shown: the older ones are left out first.
      const starts = incidents.filter((one) => one.components.includes(component)).map(detectedAt);
      const next = Math.min(...starts.filter((start) => start > detectedAt(incident)));
      const known = (timelines.components.get(component)?.transitions ?? []).filter(
        ({ at }) => at >= detectedAt(incident) && at < next,
      );
      return upToRecovery(known, resolvedAt).map(({ at, state }) => ({
        at: new Date(at).toISOString(),
        text: texts.became[state],
      }));
    });
    const ends = resolvedAt === null ? [] : [{ at: resolvedAt, text: texts.ended }];
    const steps = [{ at: startedAt, text: texts.began }, ...changes, ...ends].sort(
      (a, b) => Date.parse(b.at) - Date.parse(a.at),
    );
    return {
      id,
      title: `${incident.components.map(titleOf).join(', ')}: ${texts.severity[severity]}`,
      severity,
      isOpen: resolvedAt === null,
      outcome:
        duration === null ? texts.open : say(texts.resolved, { duration: format.duration(duration * 1000) }),
      cause: cause === null ? null : say(texts.cause, { cause: nameOf(cause, texts.causes) }),
      startedAt,
      /** When something last changed about it. */
      changedAt: steps[0]?.at ?? startedAt,
      /** What happened, the newest first. */
      steps,
    };
  });
}

function detectedAt(incident: Pick<Status['incidents'][number], 'detected_at'>): number {
  return Date.parse(incident.detected_at);
}

/**
 * All of them while the incident is open. One that was opened again has several changes to up: the last of them comes
 * some rounds after the first good check, or before it where another component was the last to recover.
 */
function upToRecovery(changes: readonly Transition[], resolvedAt: string | null): readonly Transition[] {
  if (resolvedAt === null) return changes;
  const isUp = ({ state }: Transition): boolean => state === 'up';
  const last = changes.findIndex((change) => isUp(change) && change.at >= Date.parse(resolvedAt));
  return changes.slice(0, (last < 0 ? changes.findLastIndex(isUp) : last) + 1);
}
