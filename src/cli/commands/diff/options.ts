import { InvalidArgumentError } from 'commander';

import type { Counting } from '../../../projecting/inspect/diff/comparing.ts';
import { UsageError } from '../../../platform/errors.ts';

export interface DiffOptions {
  readonly key?: string;
  readonly fields?: readonly string[];
  readonly top: number;
  readonly json?: boolean;
  readonly ndjson?: boolean;
  readonly html?: string;
}

/** The one field that stands in no view: it is computed. */
export const RANK = 'rank';

/** Paths into a view, and `rank`, with commas between. */
export function fieldList(text: string): readonly string[] {
  const fields = [...new Set(text.split(',').map((field) => field.trim()))];
  if (fields.every((field) => PATH.test(field))) return fields;
  throw new InvalidArgumentError('Expected names of fields with commas between: score.value,title.en,rank.');
}

/** Names joined with dots; a day of a history is a name as well. */
const PATH = /^[\w-]+(\.[\w-]+)*$/;

export function countingOf({ fields }: DiffOptions): Counting {
  if (fields === undefined) return { paths: null, rank: false };
  return { paths: fields.filter((field) => field !== RANK), rank: fields.includes(RANK) };
}

/** @throws {UsageError} where options contradict each other. */
export function checkOptions({ key, json, ndjson, html }: DiffOptions): void {
  if (json && ndjson)
    throw new UsageError('--json is one document, --ndjson a line for each difference: give one of them.');
  if (key === undefined) return;
  if (ndjson || html !== undefined)
    throw new UsageError('--key shows one entry: it goes with --json, not with --ndjson or --html.');
}
