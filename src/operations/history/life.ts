import type { ListingView } from '../../../projections/listings/document.ts';
import type { UnpublishedData } from '../../events/entries.ts';
import type { JsonObject } from '../../platform/json.ts';
import { foldDocument } from '../../projecting/engine/fold.ts';
import type { Projection } from '../../projecting/engine/projection.ts';
import { changesOf } from '../../projecting/inspect/diff/comparison.ts';
import { inLogOrder, type PastEvent, type PastRecord } from '../../projecting/inspect/past.ts';

/** An entry's life, step by step, as the fold of this release sees it. Pure. */

export interface Life {
  readonly state: 'published' | 'unpublished' | 'never_published';
  /** What readers saw change, measurements in a row as one. */
  readonly steps: readonly Step[];
  /** Events that changed nothing that readers see: superseded, delivered again, or of what is not shown. */
  readonly unchanged: number;
  /** Events that cannot be used: parked, discarded, or refused today. */
  readonly leftOut: number;
  /** Events of the time before that was asked for. */
  readonly earlier: number;
}

export interface Step {
  readonly kind: 'published' | 'changed' | 'measured' | 'unpublished' | 'published_again';
  /** The last of its events. */
  readonly found: PastEvent;
  /** What readers saw before it, and see after it; null where they saw nothing. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  /** How many measurements in a row it stands for, and when the first of them came into the log. */
  readonly count: number;
  readonly since: number;
}

/** @param since - Of the first event that is told, Unix milliseconds. */
export function lifeOf(
  projection: Projection,
  slug: string,
  records: readonly PastRecord[],
  since = -Infinity,
): Life {
  const steps: Step[] = [];
  let [unchanged, leftOut, earlier] = [0, 0, 0];
  const fold = foldSteps(projection, slug);
  for (const found of records.toSorted(inLogOrder)) {
    const step = found.outcome === 'event' ? fold.next(found) : 'left_out';
    if (found.at < since) earlier += 1;
    else if (step === 'left_out') leftOut += 1;
    else if (step === 'unchanged') unchanged += 1;
    else addStep(steps, step);
  }
  return { state: fold.state(), steps, unchanged, leftOut, earlier };
}

function foldSteps(projection: Projection, slug: string) {
  let registers = projection.registers.empty;
  let isPublished = false;
  let shownLast: JsonObject | null = null;
  return {
    state: () => (isPublished ? 'published' : shownLast === null ? 'never_published' : 'unpublished'),
    next: (found: PastEvent): Step | 'unchanged' | 'left_out' => {
      const folded = foldDocument(projection, slug, registers, [found.event]);
      if (folded.effects[0]?.kind === 'failed') return 'left_out';
      if (folded.shown === null) return 'unchanged';
      registers = folded.registers;
      // The projection that is given makes listings.
      const view = folded.shown.view as ListingView;
      const [wasPublished, before] = [isPublished, shownLast];
      isPublished = view.published;
      const step = { found, before, count: 1, since: found.at };
      if (!view.published) return wasPublished ? { ...step, kind: 'unpublished', after: null } : 'unchanged';
      if (wasPublished && changesOf(before, view, null).size === 0) return 'unchanged';
      shownLast = view;
      if (before === null) return { ...step, kind: 'published', after: view };
      if (!wasPublished) return { ...step, kind: 'published_again', after: view };
      const isMeasured = found.event.type === 'catalog.entry.measured';
      return { ...step, kind: isMeasured ? 'measured' : 'changed', after: view };
    },
  } as const;
}

function addStep(steps: Step[], step: Step): void {
  const last = steps.at(-1);
  if (step.kind !== 'measured' || last?.kind !== 'measured') steps.push(step);
  else steps[steps.length - 1] = { ...last, found: step.found, after: step.after, count: last.count + 1 };
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

/** Of an entry that was unpublished, what the event says; null where it says nothing. */
export function reasonOf({ kind, found }: Step): string | null {
  // Nothing but this event takes a published entry away.
  return kind === 'unpublished' ? (found.event.data as UnpublishedData).reason : null;
}
