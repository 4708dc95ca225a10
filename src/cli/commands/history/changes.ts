/** What has changed between two views, field by field. */

export interface Change {
  /** `title.en`, `score.value` */
  readonly field: string;
  /** null where there was nothing. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Long lists that follow from the other fields: that they changed counts, what they hold is not shown. */
const DERIVED: ReadonlySet<string> = new Set(['metrics.history', 'score.breakdown']);

/** Objects are compared field by field, lists as a whole. Empty where nothing but derived lists differ. */
export function changesBetween(before: unknown, after: unknown): readonly Change[] {
  const was = new Map(fieldsOf(before));
  const is = new Map(fieldsOf(after));
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((field): readonly Change[] => {
    const change = { field, before: was.get(field) ?? null, after: is.get(field) ?? null };
    return isSame(change.before, change.after) || DERIVED.has(field) ? [] : [change];
  });
}

/** What two steps, one after the other, have changed together. */
export function together(first: readonly Change[], second: readonly Change[]): readonly Change[] {
  const joined = new Map(first.map((change) => [change.field, change]));
  for (const change of second) {
    const earlier = joined.get(change.field);
    joined.set(change.field, earlier ? { ...earlier, after: change.after } : change);
  }
  return [...joined.values()].filter(({ before, after }) => !isSame(before, after));
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function* fieldsOf(value: unknown, path = ''): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (path !== '') yield [path, value];
    return;
  }
  for (const [name, inner] of Object.entries(value))
    yield* fieldsOf(inner, path === '' ? name : `${path}.${name}`);
}
