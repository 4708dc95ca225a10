import type { ListingView } from '../../../../projections/listings/document.ts';
import type { CatalogEvent } from '../../../events/event.ts';
import type { UnpublishedData } from '../../../events/entries.ts';
import { messageOf } from '../../../platform/errors.ts';
import { foldDocument } from '../../../projecting/engine/fold.ts';
import type { Projection } from '../../../projecting/engine/projection.ts';
import { inLogOrder, type PastRecord } from '../../../projecting/inspect/past.ts';
import { changesBetween, isSame, together, type Change } from './changes.ts';

/** An entry's life, event by event, as the fold of this release sees it. Pure. */

/** What readers saw of an event. */
const SEEN = ['published', 'changed', 'measured', 'unpublished', 'published_again'] as const;
/** What they did not: `unseen` has changed what is kept, and nothing that is shown. */
const UNCHANGED = ['superseded', 'duplicate', 'unseen', 'left_out'] as const;
export type Unchanged = (typeof UNCHANGED)[number];
export type StepKind = (typeof SEEN)[number] | Unchanged;

export interface Step {
  readonly kind: StepKind;
  readonly found: PastRecord;
  /** Of `unpublished`, what its event says, null where it says nothing; of `left_out`, why. */
  readonly reason: string | null;
  readonly changes: readonly Change[];
  /** How many measurements in a row it stands for, and when the first of them came into the log. */
  readonly count: number;
  readonly since: number;
}

export type State = 'published' | 'unpublished' | 'never_published';

export interface Life {
  readonly steps: readonly Step[];
  readonly state: State;
}

export function lifeOf(projection: Projection, slug: string, records: readonly PastRecord[]): Life {
  let registers = projection.registers.empty;
  let view: ListingView = { published: false };
  let shownLast: ListingView | null = null;
  const known = new Set<string>();
  const steps = records.toSorted(inLogOrder).map((found): Step => {
    const step = (kind: StepKind, more: Partial<Step> = {}): Step => {
      return { kind, found, reason: null, changes: [], count: 1, since: found.at, ...more };
    };
    if (found.outcome === 'left_out') return step('left_out', { reason: found.reason });
    const { event } = found;
    const { registers: next, shown, effects } = foldDocument(projection, slug, registers, [event]);
    const [effect] = effects;
    if (effect?.kind === 'failed') return step('left_out', { reason: messageOf(effect.error) });
    const isKnown = known.has(event.digest);
    known.add(event.digest);
    if (shown === null) return step(isKnown ? 'duplicate' : 'superseded');
    const before = view;
    registers = next;
    // The projection that is given makes listings.
    view = shown.view as ListingView;
    if (isSame(before, view)) return step('unseen');
    if (!view.published) return step('unpublished', { reason: reasonOf(event) });
    const earlier = shownLast;
    shownLast = view;
    const changes = changesBetween(earlier, view);
    if (earlier === null) return step('published', { changes });
    if (!before.published) return step('published_again', { changes });
    return step(event.type === 'catalog.entry.measured' ? 'measured' : 'changed', { changes });
  });
  const isShown: boolean = view.published;
  return { steps, state: isShown ? 'published' : shownLast === null ? 'never_published' : 'unpublished' };
}

/** What readers saw, with measurements in a row as one step. */
export function summary(steps: readonly Step[]): readonly Step[] {
  const summed: Step[] = [];
  for (const step of steps) {
    if (isUnchanged(step.kind)) continue;
    const last = summed.at(-1);
    if (step.kind !== 'measured' || last?.kind !== 'measured') {
      summed.push(step);
      continue;
    }
    const changes = together(last.changes, step.changes);
    summed[summed.length - 1] = { ...step, changes, count: last.count + 1, since: last.since };
  }
  return summed;
}

/** How many events changed nothing that readers see, by why. */
export function countUnchanged(steps: readonly Step[]): Readonly<Record<Unchanged, number>> {
  const counts = { superseded: 0, duplicate: 0, unseen: 0, left_out: 0 };
  for (const { kind } of steps) if (isUnchanged(kind)) counts[kind] += 1;
  return counts;
}

function isUnchanged(kind: StepKind): kind is Unchanged {
  return UNCHANGED.some((one) => one === kind);
}

function reasonOf(event: CatalogEvent): string | null {
  // Nothing but this event takes a published entry away.
  return (event.data as UnpublishedData).reason;
}
