/** How fast builds take in the log, from one look to the next. In the memory of the process that looks. */
export interface Pace {
  /**
   * Records a second that a build has consumed of late; null where nothing can be said yet. `began`: where it began, on the
   * same clock; null where that is not known. The first looks take the mean since then.
   */
  of(build: string, now: Seen, began: Seen | null): number | null;
}

/** The sum of the positions of a build's lanes at a time in milliseconds. It grows also while old records leave the log. */
interface Seen {
  readonly at: number;
  readonly position: number;
}

/** Looks that are remembered, in milliseconds; the time between two of them, however often somebody looks. */
const REMEMBERED_MS = 300_000;
const BETWEEN_MS = 5000;
/** Looks that are closer together tell less of the pace than of a single batch: builds write every half minute. */
const LEAST_MS = 30_000;

export function createPace(): Pace {
  const looks = new Map<string, readonly Seen[]>();
  return {
    of(build, now, began) {
      const known = (looks.get(build) ?? []).filter(
        // A look from the future is one from before the store's clock was put back.
        ({ at, position }) => at <= now.at && now.at - at <= REMEMBERED_MS && position <= now.position,
      );
      const [first] = known;
      const last = known.at(-1);
      const isFar = last === undefined || now.at - last.at >= BETWEEN_MS;
      looks.set(build, isFar ? [...known, now] : known);
      if (first !== undefined && now.at - first.at >= LEAST_MS) return rateBetween(first, now);
      return began === null || now.at <= began.at ? null : rateBetween(began, now);
    },
  };
}

function rateBetween(from: Seen, to: Seen): number {
  return (to.position - from.position) / ((to.at - from.at) / 1000);
}
