import { MeilisearchApiError, MeilisearchError } from 'meilisearch';

import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';

/** What became of a call, by the engine's codes: https://www.meilisearch.com/docs/reference/errors/error_codes */

const KEY_ADVICE =
  'Is CATALOG_SEARCH_KEY a key of this server, with the rights that docs/reference/search.md names?';

/** The client's error as one of ours; ours pass through unchanged. */
export function translateMeilisearch(host: string, thrown: unknown): Error {
  if (thrown instanceof RetryableError || thrown instanceof PermanentError) return thrown;
  if (thrown instanceof MeilisearchApiError) {
    const { status } = thrown.response;
    const message = `Meilisearch at ${host}: ${thrown.message}`;
    if (status === 401 || status === 403)
      return new PermanentError(`${message.replace(/\.?$/, '.')} ${KEY_ADVICE}`, { cause: thrown });
    // Without the engine's own error it is somebody else's word: a proxy's, a gateway's.
    const mayPass = isTransient(status, thrown.cause?.type) || thrown.cause?.code === undefined;
    return new (mayPass ? RetryableError : PermanentError)(message, { cause: thrown });
  }
  // No answer, or one that is not the engine's: a proxy's page is no JSON.
  if (thrown instanceof MeilisearchError || thrown instanceof SyntaxError) {
    return new RetryableError(`Meilisearch at ${host} cannot be reached: ${reasonOf(thrown)}`, {
      cause: thrown,
    });
  }
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The engine's code of an error that was translated; null where it is not of the engine's making. */
export function codeOf(thrown: unknown): string | null {
  const cause = thrown instanceof Error ? thrown.cause : null;
  return cause instanceof MeilisearchApiError ? (cause.cause?.code ?? null) : null;
}

/** Full disks and too many files are fixed by others, and then the same call succeeds. */
function isTransient(status: number, type: string | undefined): boolean {
  return status >= 500 || status === 408 || status === 429 || type === 'system' || type === 'internal';
}

/** `fetch failed` says little: what is behind it tells. */
function reasonOf(thrown: unknown): string {
  let reason = thrown;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  return messageOf(reason);
}
