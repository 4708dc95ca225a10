import { isDeepStrictEqual } from 'node:util';

import type { CatalogEvent } from '../../events/event.ts';
import { isContainer } from '../../platform/json-value.ts';
import type { Projection } from '../engine/projection.ts';
import type { RegisterValue } from '../engine/register.ts';

/** What a document shows of an event that was consumed. */
export type Evidence =
  /** It holds what the event said. */
  | { readonly outcome: 'in_force' }
  /**
   * Joining the event to the document would add nothing: `by` is the revision, or the instant, that stands in its place; null
   * where the window of the read model has gone past it. `winner` is the event that stands there.
   */
  | {
      readonly outcome: 'superseded';
      readonly by: number | string | null;
      readonly winner?: Winner;
    }
  /** It would add something: the document has lost it. */
  | { readonly outcome: 'missing' };

export interface Winner {
  readonly digest: string;
  /** The revision, or the instant, of the event that lost; where it is the same, the content decided. */
  readonly over: number | string;
}

/** What decides between two events about the same thing. */
export type Unit = 'revision' | 'round' | 'instant';

export function unitOf({ data }: CatalogEvent): Unit {
  const fields = data as object;
  if ('revision' in fields) return 'revision';
  return 'round' in fields ? 'round' : 'instant';
}

/** Why an event is superseded by one that is no newer, in words. */
export function tieOf(unit: Unit, by: number | string): string {
  return `another event of the same ${unit}, ${by}, is in force`;
}

/** `registers`: of the document; null where it is not there, and no window has gone past it. */
export function evidenceOf(projection: Projection, registers: unknown, event: CatalogEvent): Evidence {
  const held = registers ?? projection.registers.empty;
  let added: unknown;
  let joined: unknown;
  try {
    added = projection.contribution(event);
    joined = projection.registers.join(held, added);
  } catch {
    // Such an event is parked: where it is not, nothing shows what became of it.
    return { outcome: 'missing' };
  }
  if (holds(held, added)) {
    // What the window has gone past stays until the next sweep, and nothing shows it.
    const isShown = holds(projection.trim(held), added);
    return isShown ? { outcome: 'in_force' } : { outcome: 'superseded', by: null };
  }
  if (joined === held) return supersededIn(held, added);
  const isPast = registers !== null && isDeepStrictEqual(projection.trim(joined), projection.trim(held));
  return isPast ? { outcome: 'superseded', by: null } : { outcome: 'missing' };
}

/** Whether a value of the event stands. A digest does not know the type: a tombstone may have that of a publication. */
function holds(held: unknown, added: unknown): boolean {
  return winnersOver(held, added).some(
    ([stands, own]) => stands.digest === own.digest && (stands.value === null) === (own.value === null),
  );
}

function supersededIn(held: unknown, added: unknown): Evidence {
  // The latest number of an entry has a later instant than that of a day that somebody corrects: the day's own tells why it lost.
  const [nearest] = [...winnersOver(held, added)].sort(([a], [b]) => (a.at < b.at ? -1 : 1));
  if (!nearest) return { outcome: 'superseded', by: null };
  const [{ at: by, digest }, { at: over }] = nearest;
  return { outcome: 'superseded', by, winner: { digest, over } };
}

/** What stands where the values of the event would, and those values. */
function* winnersOver(
  held: unknown,
  added: unknown,
): Generator<readonly [stands: RegisterValue<unknown>, loses: RegisterValue<unknown>]> {
  if (!isContainer(held) || !isContainer(added)) return;
  if (!isWritten(added)) for (const [key, part] of Object.entries(added)) yield* winnersOver(held[key], part);
  else if (isWritten(held)) yield [held, added];
}

function isWritten(
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & RegisterValue<unknown> {
  return (
    typeof value['digest'] === 'string' &&
    (typeof value['at'] === 'number' || typeof value['at'] === 'string')
  );
}
