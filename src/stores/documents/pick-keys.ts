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
