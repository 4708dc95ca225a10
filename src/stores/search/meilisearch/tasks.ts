import type { Task } from 'meilisearch';

import { PermanentError } from '../../../platform/errors.ts';
import type { Applied } from '../port.ts';

export function codeIn(task: Task): string | null {
  return task.error?.code ?? null;
}

export function failed(task: Task): Applied {
  return { outcome: 'failed', reason: `Meilisearch refused task ${task.uid}: ${task.error?.message}` };
}

/** @throws {PermanentError} where the engine refuses what has nothing to do with entries. */
export function refuseFailed(task: Task): void {
  if (task.status !== 'failed') return;
  throw new PermanentError(`Meilisearch refused task ${task.uid}: ${task.error?.message}`);
}
