import { z } from 'zod';

/**
 * Schemas as functions that look at a JSON value once. They are made of the schema itself, which stays the one source:
 * what they accept is what the schema makes of the value. What they refuse is shown to the schema, which says why, or
 * knows better. So a kind of rule that they do not know costs time, and nothing else.
 */
export type Checker = (value: unknown, seen: Seen) => unknown;

/** What a checker returns for a value that is to be shown to the schema. */
export const REFUSED: unique symbol = Symbol('refused');

/** What was noticed on the way. */
export interface Seen {
  /** Fields that the schema does not keep, nested ones included; one that holds others counts once. */
  unknownFields: number;
}

const MADE = new WeakMap<z.core.$ZodType, Checker>();

/** The checker of a schema, made when it is first asked for. */
export function checkerOf(schema: z.core.$ZodType): Checker {
  let made = MADE.get(schema);
  if (!made) MADE.set(schema, (made = checkerFor(schema) ?? refuseAll));
  return made;
}

function refuseAll(): typeof REFUSED {
  return REFUSED;
}

/** null where the schema is of a kind that nobody has taught us. */
function checkerFor(schema: z.core.$ZodType): Checker | null {
  const type = typeOf(schema);
  const steps = type && stepsOf(schema);
  if (!type || !steps) return null;
  const [step, ...more] = steps;
  if (!step) return type;
  return (given, seen) => {
    let value = type(given, seen);
    if (value === REFUSED || (value = step(value)) === REFUSED) return REFUSED;
    for (const next of more) if ((value = next(value)) === REFUSED) return REFUSED;
    return value;
  };
}

/** By its type alone, without the rules that are added to it. */
function typeOf(schema: z.core.$ZodType): Checker | null {
  if (schema instanceof z.ZodString) return (value) => (typeof value === 'string' ? value : REFUSED);
  if (schema instanceof z.ZodBoolean) return (value) => (typeof value === 'boolean' ? value : REFUSED);
  if (schema instanceof z.ZodNull) return (value) => (value === null ? value : REFUSED);
  if (schema instanceof z.ZodNumber) return numberOf(schema);
  if (schema instanceof z.ZodEnum) return oneOf(new Set<unknown>(schema.options));
  if (schema instanceof z.ZodLiteral) return oneOf(schema.values);
  if (schema instanceof z.ZodNullable) return nullable(schema.unwrap());
  if (schema instanceof z.ZodOptional) return absent(schema.unwrap(), undefined);
  if (schema instanceof z.ZodDefault) return defaulting(schema);
  if (schema instanceof z.ZodPipe) return pipe(schema);
  if (schema instanceof z.ZodArray) return listOf(schema);
  if (schema instanceof z.ZodDiscriminatedUnion) return unionOf(schema);
  return schema instanceof z.ZodObject ? objectOf(schema) : null;
}

function numberOf({ def }: z.ZodNumber): Checker | null {
  const format = 'format' in def ? def.format : null;
  if (format === 'safeint') return (value) => (Number.isSafeInteger(value) ? value : REFUSED);
  return format === null ? (value) => (Number.isFinite(value) ? value : REFUSED) : null;
}

function oneOf(values: ReadonlySet<unknown>): Checker {
  return (value) => (values.has(value) ? value : REFUSED);
}

function nullable(inner: z.core.$ZodType): Checker | null {
  const check = checkerFor(inner);
  return check && ((value, seen) => (value === null ? null : check(value, seen)));
}

function absent(inner: z.core.$ZodType, otherwise: unknown): Checker | null {
  const check = checkerFor(inner);
  return check && ((value, seen) => (value === undefined ? otherwise : check(value, seen)));
}

/** A default that is an object would have to be a new one each time. */
function defaulting(schema: z.ZodDefault): Checker | null {
  const { innerType, defaultValue } = schema.def;
  return typeof defaultValue === 'object' && defaultValue !== null ? null : absent(innerType, defaultValue);
}

/** A field that is made of what another schema accepts. */
function pipe({ def }: z.ZodPipe): Checker | null {
  const check = checkerFor(def.in);
  if (!check || !(def.out instanceof z.ZodTransform) || (def.out.def.checks ?? []).length > 0) return null;
  const { transform } = def.out.def;
  return (given, seen) => {
    const value = check(given, seen);
    if (value === REFUSED) return REFUSED;
    const payload: z.core.ParsePayload = { value, issues: [] };
    const made: unknown = transform(value, payload);
    return payload.issues.length > 0 ? REFUSED : made;
  };
}

function listOf({ element }: z.ZodArray): Checker | null {
  const check = checkerFor(element);
  return check && ((given, seen) => (Array.isArray(given) ? everyOf(given, check, seen) : REFUSED));
}

function everyOf(given: readonly unknown[], check: Checker, seen: Seen): unknown {
  const values: unknown[] = [];
  for (const item of given) {
    const value = check(item, seen);
    if (value === REFUSED) return REFUSED;
    values.push(value);
  }
  return values;
}

function unionOf({ def, options }: z.ZodDiscriminatedUnion): Checker | null {
  const checks = new Map<unknown, Checker>();
  for (const option of options) {
    const told = option instanceof z.ZodObject ? (option.shape as z.ZodRawShape)[def.discriminator] : null;
    const check = told instanceof z.ZodLiteral ? checkerFor(option) : null;
    if (!check || !(told instanceof z.ZodLiteral)) return null;
    for (const value of told.values) checks.set(value, check);
  }
  return (value, seen) => {
    if (!isObject(value)) return REFUSED;
    return checks.get(value[def.discriminator])?.(value, seen) ?? REFUSED;
  };
}

function objectOf({ shape, def }: z.ZodObject): Checker | null {
  if (def.catchall) return null;
  const fields: { readonly name: string; readonly check: Checker }[] = [];
  for (const [name, field] of Object.entries(shape)) {
    const check = checkerFor(field);
    // Every object seems to have these.
    if (!check || name in Object.prototype) return null;
    fields.push({ name, check });
  }
  return (given, seen) => {
    if (!isObject(given)) return REFUSED;
    const made: Record<string, unknown> = {};
    let known = 0;
    for (const { name, check } of fields) {
      const received = given[name];
      if (received !== undefined) known += 1;
      const value = check(received, seen);
      if (value === REFUSED) return REFUSED;
      if (value !== undefined) made[name] = value;
    }
    seen.unknownFields += Object.keys(given).length - known;
    return made;
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Step = (value: unknown) => unknown;

/** The rules that are added to a type, in their order; null where one is of a kind that nobody has taught us. */
function stepsOf(schema: z.core.$ZodType): readonly Step[] | null {
  const steps: Step[] = [];
  for (const { _zod } of schema._zod.def.checks ?? []) {
    const step = stepOf(_zod.def as Rule);
    if (!step) return null;
    steps.push(step);
  }
  return steps;
}

/** What zod keeps of a rule (zod/v4/core/checks). */
type Rule =
  | { readonly check: 'greater_than' | 'less_than'; readonly value: number; readonly inclusive: boolean }
  | { readonly check: 'max_length'; readonly maximum: number }
  | { readonly check: 'string_format'; readonly format: string; readonly pattern?: RegExp }
  | { readonly check: 'overwrite'; readonly tx: (value: unknown) => unknown }
  | { readonly check: 'custom'; readonly fn: (value: unknown) => unknown };

function stepOf(rule: Rule): Step | null {
  switch (rule.check) {
    case 'greater_than':
      return rule.inclusive ? (value) => (Number(value) >= rule.value ? value : REFUSED) : null;
    case 'less_than':
      return rule.inclusive ? (value) => (Number(value) <= rule.value ? value : REFUSED) : null;
    case 'max_length':
      return (value) => ((value as readonly unknown[]).length <= rule.maximum ? value : REFUSED);
    case 'string_format':
      return rule.format === 'regex' && rule.pattern ? matching(rule.pattern) : null;
    case 'overwrite':
      return rule.tx;
    case 'custom':
      return (value) => (rule.fn(value) === true ? value : REFUSED);
    default:
      return null;
  }
}

/** A pattern that remembers where it was would not be the same twice. */
function matching(pattern: RegExp): Step | null {
  if (pattern.global || pattern.sticky) return null;
  return (value) => (pattern.test(value as string) ? value : REFUSED);
}
