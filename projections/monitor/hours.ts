/** The hours of probes that documents are made of: their ids, and how long they are kept. */

export const ROUNDS_IN_HOUR = 60;

/** The hour that a round belongs to: its Unix time in whole hours. */
export function hourOf(round: number): number {
  return Math.floor(round / ROUNDS_IN_HOUR);
}

/** The id of the document with the probes of a target's hour. A target's id holds no slash. */
export function hourId(target: string, hour: number): string {
  return `${target}/${hour}`;
}

/** The target that a document is about. */
export function targetOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}

/** The hour that a document is about; null for that of a target. */
export function hourOfId(id: string): number | null {
  const [, hour] = id.split('/', 2);
  return hour === undefined ? null : Number(hour);
}

const KEPT_HOURS = 100 * 24;

/** The first hour that is kept, given the newest one of the target: what is older is ignored, and swept. */
export function firstKeptHour(newest: number): number {
  return newest - KEPT_HOURS + 1;
}
