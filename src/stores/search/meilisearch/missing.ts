import { RetryableError } from '../../../platform/errors.ts';

export function missing(index: string, cause?: unknown): RetryableError {
  return new RetryableError(`The search index ${index} does not exist; it has to be made and filled again`, {
    cause,
  });
}
