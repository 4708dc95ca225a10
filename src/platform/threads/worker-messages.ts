import { messageOf, PermanentError, RetryableError } from '../errors.ts';

/** What goes between a thread and the one that started it (worker.ts, worker-offer.ts). */
export type Callable<Functions> = {
  readonly [Name in keyof Functions]: (...given: never[]) => Promise<unknown>;
};

export interface Call {
  readonly number: number;
  /** null for the last one, which closes. */
  readonly name: string | null;
  readonly given: readonly unknown[];
}

export type Answer =
  | { readonly number: number; readonly outcome: 'done'; readonly value: unknown }
  | { readonly number: number; readonly outcome: 'failed'; readonly error: Failure };

/** An error on its way: a structured clone keeps no class of ours. */
interface Failure {
  readonly kind: keyof typeof ERRORS;
  readonly message: string;
  readonly cause: unknown;
}

const ERRORS = { retryable: RetryableError, permanent: PermanentError, fault: Error } as const;

export function failureOf(thrown: unknown): Failure {
  const message = messageOf(thrown);
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (thrown instanceof RetryableError) return { kind: 'retryable', message, cause };
  if (thrown instanceof PermanentError) return { kind: 'permanent', message, cause };
  return { kind: 'fault', message, cause: thrown };
}

export function errorOf({ kind, message, cause }: Failure): Error {
  return new ERRORS[kind](message, { cause });
}
