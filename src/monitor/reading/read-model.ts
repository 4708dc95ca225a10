import type { Watched } from '../history.ts';
import { createTargetHours, type TargetHours, type TargetHoursOptions } from './target-hours.ts';

/** All targets of one read model. */
export interface PolledTargets {
  /** The very object of the poll before for each target of which nothing has changed. */
  readonly targets: readonly Watched[];
  /** The newest counted round that somebody reported in; null where nobody ever has. */
  readonly reported: number | null;
}

/** What is known of one target; `watched` changes only where something in it has. */
interface Known {
  readonly since: number;
  readonly hours: TargetHours;
  watched: Watched | null;
}

/** Returns what polls them as they are at a moment of the store's clock, one call after the other. */
export function createReadModel(
  options: Omit<TargetHoursOptions, 'target'>,
): (now: number) => Promise<PolledTargets> {
  const { documents, kept } = options;
  const known = new Map<string, Known>();
  return async (now) => {
    const defined = await documents.targets();
    const ids = new Set(defined.map(({ target }) => target));
    for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    const targets: Watched[] = [];
    let reported: number | null = null;
    // One after the other: the first poll of each may read thousands of hours.
    for (const view of defined) {
      const { target, since } = view;
      const held = known.get(target);
      const before =
        held?.since === since
          ? held
          : { since, hours: createTargetHours({ ...options, target: view }), watched: null };
      known.set(target, before);
      const polled = await before.hours.poll(now);
      if (polled.reported !== null) reported = Math.max(reported ?? polled.reported, polled.reported);
      before.watched = watchedOf(before.watched, view, polled);
      targets.push(before.watched);
    }
    kept.save([]);
    return { targets, reported };
  };
}

function watchedOf(
  before: Watched | null,
  target: Watched['target'],
  { hours, summaries }: Pick<Watched, 'hours' | 'summaries'>,
): Watched {
  const isSame =
    before !== null &&
    before.hours === hours &&
    before.summaries === summaries &&
    JSON.stringify(before.target) === JSON.stringify(target);
  return isSame ? before : { target, hours, summaries };
}
