import { z } from 'zod';

import { valueAt } from '../platform/json-value.ts';
import { visible } from '../platform/text/sanitize.ts';
import { withTexts } from '../platform/schema-field-texts.ts';
import { object } from './fields.ts';
import codes from './rejection-codes.json' with { type: 'json' };

/** Why a record is refused. A refusal is an outcome, not an exception: it is parked and announced to upstream. */

/** Every code with what it means; docs/reference/events.md has the same list. */
export const REJECTION_CODES = codes;
export type RejectionCode = keyof typeof REJECTION_CODES;

export interface Problem {
  readonly code: RejectionCode;
  /** One line: of each mistake the path, what is accepted there, and what came. */
  readonly reason: string;
}

/** What could be read of an event's identity, made fit for one line; null where it could not. */
export type Identity = Readonly<Record<'id' | 'source' | 'type' | 'subject', string | null>>;

export interface Rejection extends Problem, Identity {}

/** `data.revision: expected an integer from 1 to 9007199254740991, got "x"` */
export function expected(code: RejectionCode, path: string, accepted: string, got: unknown): Problem {
  return problem(code, `${path}: expected ${accepted}, got ${show(got)}`);
}

export function problem(code: RejectionCode, reason: string): Problem {
  return { code, reason: oneLine(reason, MISTAKE_LENGTH) };
}

/** Several mistakes of one event as one problem; its code is that of the first. */
export function allOf([first, ...others]: readonly [Problem, ...Problem[]]): Problem {
  if (others.length === 0) return first;
  const reasons = [first, ...others].map(({ reason }) => reason);
  const rest = reasons.length - MOST_TOLD;
  const told = [...reasons.slice(0, MOST_TOLD), ...(rest > 0 ? [`and ${rest} more`] : [])];
  return { code: first.code, reason: oneLine(told.join('; '), REASON_LENGTH) };
}

/** Mistakes of one event that are told. */
const MOST_TOLD = 20;
const MISTAKE_LENGTH = 500;
const REASON_LENGTH = 5000;
const SHOWN_LENGTH = 80;

/** Names what came, without repeating more of it than helps. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value))
    return value.length === 1 ? 'a list of 1 item' : `a list of ${value.length} items`;
  if (typeof value === 'object' && value !== null) return shownObject(value);
  if (typeof value === 'string' && value.length > SHOWN_LENGTH) {
    return `${JSON.stringify(value.slice(0, SHOWN_LENGTH))}... (${value.length} characters)`;
  }
  // JSON would show numbers that are too large for it as null.
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** Which fields it has; one that is null counts as none. */
function shownObject(value: object): string {
  const names = Object.entries(value).flatMap(([name, field]) => (field === null ? [] : [name]));
  return names.length === 0 ? 'an object with nothing in it' : `an object with ${show(names.join(', '))}`;
}

/** Text from outside, fit for one line of a terminal or a log: what cannot be seen is escaped, what is too long is cut. */
export function oneLine(text: string, maximum: number): string {
  const escaped = visible(text.slice(0, maximum));
  if (escaped.length <= maximum && text.length <= maximum) return escaped;
  return `${escaped.slice(0, maximum - 3).toWellFormed()}...`;
}

/** Everything that a schema has against a value. Its messages say what is accepted. */
export function problemsOf(
  code: RejectionCode,
  root: string,
  { issues }: z.ZodError,
  value: unknown,
): readonly [Problem, ...Problem[]] {
  const [first = problem(code, `${root}: expected something else`), ...others] = issues.map(
    ({ path, message }) => expected(code, pathText(root, path), message, valueAt(value, path)),
  );
  return [first, ...others];
}

/** `data.links[0].url` */
function pathText(root: string, path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return root === '' ? steps.replace(/^\./, '') || 'value' : `${root}${steps}`;
}

/** What upstream is told of an event that was refused: we publish it, so this is no `EventType`. */

export const REJECTED_TYPE = 'catalog.event.rejected';

const received = withTexts(z.string().nullable(), {
  publishers: 'Of what was refused; null where it could not be read.',
});

export const rejectedData = object({
  code: withTexts(z.enum(Object.keys(REJECTION_CODES) as RejectionCode[]), { publishers: 'For programs.' }),
  reason: withTexts(z.string().max(REASON_LENGTH), {
    publishers: 'For people, on one line: up to 20 mistakes, with a semicolon between them.',
  }),
  id: received,
  source: received,
  type: received,
  subject: received,
  read_model: withTexts(z.string(), { publishers: 'Which read model could not use it.' }),
  topic: withTexts(z.string(), { publishers: 'Where the record stands.' }),
  partition: z.int().min(0),
  position: z.int().min(0),
  to: withTexts(z.int().min(1).optional(), {
    publishers: 'Where a range of positions could not be read: the position after its last one.',
  }),
});
export type RejectedData = z.infer<typeof rejectedData>;
