import type { Stored } from './port.ts';

/** A document of which a reader wants these keys alone. */
export function withKeys(
  { id, version, body }: Stored<unknown>,
  keys: readonly string[],
): Stored<Readonly<Record<string, unknown>>> {
  const whole = body as Readonly<Record<string, unknown>>;
  const part = Object.fromEntries(
    keys.filter((key) => Object.hasOwn(whole, key)).map((key) => [key, whole[key]]),
  );
  return { id, version, body: part };
}

/** A body in which this key is as a part has it: with its value, or not at all. */
export function withKeyOf(part: unknown, key: string, whole: unknown): Readonly<Record<string, unknown>> {
  const body = { ...(whole as Readonly<Record<string, unknown>>) };
  const value = (part as Readonly<Record<string, unknown>>)[key];
  if (value === undefined) delete body[key];
  else body[key] = value;
  return body;
}
