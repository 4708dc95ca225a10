import type { ListingView } from '../../../projections/listings/document.ts';
import type { UnpublishedData } from '../../events/entry-events.ts';
import type { JsonObject } from '../../platform/json-value.ts';
import { instantOrMs } from '../../platform/time/instant.ts';
import { foldDocument } from '../../projecting/engine/fold.ts';
import type { Projection } from '../../projecting/engine/projection.ts';
import { changesOf } from '../../projecting/inspect/diff/leaves.ts';
import {
  inLogOrder,
  type Past,
  type PastEvent,
  type PastRecord,
} from '../../projecting/inspect/read-model-events.ts';

/** An entry's life, step by step, as the fold of this release sees it. Pure. */

export type Life = ReturnType<typeof lifeOf>;

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
) {
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
  return {
    state: fold.state(),
    /** What readers saw change, measurements in a row as one. */
    steps,
    /** Events that changed nothing that readers see: superseded, delivered again, or of what is not shown. */
    unchanged,
    /** Events that cannot be used: parked, discarded, or refused today. */
    leftOut,
    /** Events of the time before that was asked for. */
    earlier,
  };
}

function foldSteps(projection: Projection, slug: string) {
  let registers = projection.registers.empty;
  let isPublished = false;
  let shownLast: JsonObject | null = null;
  return {
    state: (): 'published' | 'unpublished' | 'never_published' =>
      isPublished ? 'published' : shownLast === null ? 'never_published' : 'unpublished',
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

export type FieldChange = ReturnType<typeof changesIn>[number];

/** What a step has changed, field by field (`title.en`); nothing where readers see nothing after it, null where there was nothing. */
export function changesIn({ before, after }: Step) {
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

export type Doubts = ReturnType<typeof doubtsOf>;

/**
 * What makes an answer about the past less than certain, of what was read so far; nothing where the log is whole. `cut`:
 * partitions whose beginning the log no longer holds, with the oldest position kept and when that came into the log, null
 * where nothing is kept. `unreadable`: ranges [from, to) of which nobody knows whom they are about.
 */
export function doubtsOf(pasts: readonly Pick<Past, 'lanes' | 'unreadable'>[]) {
  return {
    cut: pasts
      .flatMap(({ lanes }) => lanes.filter(({ earliest }) => earliest > 0))
      .map(({ topic, partition, earliest, beganAt }) => {
        return { topic, partition, from: earliest, since: beganAt === null ? null : instantOrMs(beganAt) };
      }),
    unreadable: pasts.flatMap(({ unreadable }) =>
      unreadable.map(({ topic, partition, from, to, reason }) => ({ topic, partition, from, to, reason })),
    ),
  };
}
