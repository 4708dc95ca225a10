import type { ListingView } from '../../../../projections/listings/document.ts';
import type { CatalogEvent } from '../../../events/event.ts';
import type { UnpublishedData } from '../../../events/entries.ts';
import { messageOf } from '../../../platform/errors.ts';
import type { JsonObject } from '../../../platform/json.ts';
import { foldDocument } from '../../../projecting/engine/fold.ts';
import type { Projection } from '../../../projecting/engine/projection.ts';
import { changesOf } from '../../../projecting/inspect/diff/comparing.ts';
import { inLogOrder, type PastRecord } from '../../../projecting/inspect/past.ts';

/** An entry's life, event by event, as the fold of this release sees it. Pure. */

/** What readers did not see of an event: `unseen` has changed what is kept, and nothing that is shown. */
const UNCHANGED = ['superseded', 'duplicate', 'unseen', 'left_out'] as const;
type Unchanged = (typeof UNCHANGED)[number];
export type StepKind = 'published' | 'changed' | 'measured' | 'unpublished' | 'published_again' | Unchanged;

export interface Step {
  readonly kind: StepKind;
  readonly found: PastRecord;
  /** Of `unpublished`, what its event says, null where it says nothing; of `left_out`, why. */
  readonly reason: string | null;
  /** What readers saw before it, and see after it; null where there was nothing, or nothing has changed. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  /** How many measurements in a row it stands for, and when the first of them came into the log. */
  readonly count: number;
  readonly since: number;
}

export interface Life {
  readonly steps: readonly Step[];
  readonly state: 'published' | 'unpublished' | 'never_published';
}

export function lifeOf(projection: Projection, slug: string, records: readonly PastRecord[]): Life {
  let registers = projection.registers.empty;
  let isPublished = false;
  /** What readers saw last. */
  let shownLast: JsonObject | null = null;
  const known = new Set<string>();
  const steps = records.toSorted(inLogOrder).map((found): Step => {
    const step = (kind: StepKind, more: Partial<Step> = {}): Step => {
      return { kind, found, reason: null, before: null, after: null, count: 1, since: found.at, ...more };
    };
    if (found.outcome === 'left_out') return step('left_out', { reason: found.reason });
    const { event } = found;
    const { registers: next, shown, effects } = foldDocument(projection, slug, registers, [event]);
    const [effect] = effects;
    if (effect?.kind === 'failed') return step('left_out', { reason: messageOf(effect.error) });
    const isKnown = known.has(event.digest);
    known.add(event.digest);
    if (shown === null) return step(isKnown ? 'duplicate' : 'superseded');
    registers = next;
    // The projection that is given makes listings.
    const view = shown.view as ListingView;
    const wasPublished = isPublished;
    isPublished = view.published;
    if (!view.published) {
      return wasPublished
        ? step('unpublished', { reason: reasonOf(event), before: shownLast })
        : step('unseen');
    }
    const [before, after] = [shownLast, view];
    if (wasPublished && changesOf(before, after, null).size === 0) return step('unseen');
    shownLast = after;
    if (before === null) return step('published', { after });
    if (!wasPublished) return step('published_again', { before, after });
    return step(event.type === 'catalog.entry.measured' ? 'measured' : 'changed', { before, after });
  });
  return { steps, state: isPublished ? 'published' : shownLast === null ? 'never_published' : 'unpublished' };
}

/** What readers saw, with measurements in a row as one step. */
export function summary(steps: readonly Step[]): readonly Step[] {
  const summed: Step[] = [];
  for (const step of steps) {
    if (isUnchanged(step.kind)) continue;
    const last = summed.at(-1);
    if (step.kind !== 'measured' || last?.kind !== 'measured') summed.push(step);
    else summed[summed.length - 1] = { ...last, found: step.found, after: step.after, count: last.count + 1 };
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

export interface FieldChange {
  /** `title.en`, `score.value` */
  readonly field: string;
  /** null where there was nothing. */
  readonly before: unknown;
  readonly after: unknown;
}

/** What a step has changed, field by field; nothing where readers see nothing after it. */
export function changesIn({ before, after }: Step): readonly FieldChange[] {
  if (after === null) return [];
  return [...changesOf(before, after, null)]
    .filter(([field]) => !DERIVED.test(field))
    .map(([field, change]) => ({ field, before: change.before ?? null, after: change.after ?? null }));
}

/** Long lists that follow from the other fields. */
const DERIVED = /^(?:metrics\.history|score\.breakdown)(?:\.|$)/;

function reasonOf(event: CatalogEvent): string | null {
  // Nothing but this event takes a published entry away.
  return (event.data as UnpublishedData).reason;
}
