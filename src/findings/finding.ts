import { toInstant, type Instant } from '../platform/time/instant.ts';

/**
 * Something that is late, stuck, broken or waiting: facts alone. It is found in one place and told by `status`, `doctor`,
 * `/readyz`, the operator page and the alerts; `finding-texts.ts` says it, and what to do, in a language.
 */
export type Finding = {
  /** A `problem` needs a hand, and makes the exit code 1; a `note` passes by itself, or is somebody else's. */
  readonly severity: 'problem' | 'note';
  /** The lane, the read model, the index, the document, the store or the projector (`host:pid`). */
  readonly subject: string;
  /** By the clock of the documents store; null where nobody knows. */
  readonly since: Instant | null;
} & Cause;

/** `code` is what scripts tell findings apart by. Reasons, details and troubles are the words of a program, in English. */
type Cause =
  /** `halt` is null where the worker alone knows of it; then `reason` says it. */
  | { readonly code: 'halted'; readonly halt: Halt | null; readonly reason: string | null }
  /** `no_projector`: and no event waits for one yet. */
  | { readonly code: 'never_projected' | 'no_projector' }
  | { readonly code: 'not_projected' | 'no_owner' | 'waits_for_transaction'; readonly waiting: number }
  /** `where`: `host:pid`. `stalled`: it runs, and does not move. */
  | {
      readonly code: 'paused' | 'not_claimed' | 'stalled';
      readonly where: string;
      readonly reason: string | null;
    }
  | { readonly code: 'not_ready'; readonly detail: string }
  /** A store, in a process that needs it. */
  | { readonly code: 'store_fails'; readonly reason: string }
  /** `is_beside`: readers see another build meanwhile. */
  | { readonly code: 'never_complete'; readonly is_beside: boolean }
  | { readonly code: 'not_fed'; readonly why: 'trouble'; readonly trouble: string }
  | { readonly code: 'not_fed'; readonly why: 'no_projector' | 'no_feeder'; readonly documents: number }
  | { readonly code: 'not_fed'; readonly why: 'behind' }
  /** `not_servable`: the process that says it has no answers for the build that is live. */
  | { readonly code: 'filling' | 'unknown_fold' | 'verification_due' | 'differs' | 'not_servable' }
  /** `more`: so many, beside those that are named. */
  | { readonly code: 'not_searchable'; readonly reason: string | null; readonly more: number }
  | { readonly code: 'not_announced'; readonly trouble: string }
  | { readonly code: 'upgrade_ready'; readonly name: string }
  /** Of all builds. */
  | { readonly code: 'parked'; readonly parked: number };

/** Why a lane does not go on: its log is not the one that was read. Positions are of the log. */
export type Halt =
  /** The log has forgotten records that were not yet read: [from, to). */
  | { readonly reason: 'gap'; readonly from: number; readonly to: number }
  /** The log ends before the checkpoint: it was made again, or restored from an older backup. */
  | { readonly reason: 'log_younger'; readonly position: number; readonly latest: number }
  /**
   * Where the last consumed record stood, at `position`, stands another one: the log was made again, or restored, and
   * has grown past the checkpoint. `time` was the record's, `found` is the other one's: Unix milliseconds.
   */
  | {
      readonly reason: 'log_replaced';
      readonly position: number;
      readonly time: number;
      readonly found: number;
    };

/** `since`: Unix milliseconds where it is a number. */
export function problem(subject: string, since: Instant | number | null, cause: Cause): Finding {
  const instant = typeof since === 'number' ? toInstant(since) : since;
  return { severity: 'problem', subject, since: instant, ...cause };
}

export function note(...what: Parameters<typeof problem>): Finding {
  return { ...problem(...what), severity: 'note' };
}
