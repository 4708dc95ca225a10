import type { Parts } from '../../compose/parts.ts';
import { UsageError } from '../../platform/errors.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import type { Projection } from '../../projecting/engine/projection.ts';
import { readShadows, removeShadow, SHADOWS, type StoredShadow } from '../../stores/shadows.ts';

/** How shadows are named, and found by a name. */

/** @throws {UsageError} where no shadow may have the name; `live`, `b2` and the like are builds. */
export function checkShadowName(name: string): void {
  if (/^[a-z][a-z0-9-]{0,30}$/.test(name) && !/^(?:b\d+|live)$/.test(name)) return;
  throw new UsageError(
    `--into ${name}: a name is 1 to 31 of a-z, 0-9 and -, a letter first, and not live, b2, b3 and so on, which are builds.`,
  );
}

/** `replay-1`, or the first number that no shadow of the read model has. */
export function freeName(shadows: readonly StoredShadow[], { name }: Projection): string {
  const taken = new Set(shadows.filter((one) => one.read_model === name).map((one) => one.name));
  let number = 1;
  while (taken.has(`replay-${number}`)) number += 1;
  return `replay-${number}`;
}

/**
 * Removes a shadow, by its name or the whole of its id, which it returns.
 * @throws {UsageError} where there is none.
 */
export async function dropNamedShadow({ documents }: Parts, text: string): Promise<string> {
  await documents.declare(SHADOWS);
  const shadow = findShadow(await readShadows(documents), text);
  if (!shadow)
    throw new UsageError(
      `There is no shadow ${text}: "${commandLine('shadows list')}" shows those that there are.`,
    );
  await removeShadow(documents, shadow);
  return shadow.id;
}

/**
 * The shadow that somebody means by `listings@1-weights`, or by `weights` alone; null where there is none.
 * @throws {UsageError} where several read models have one of that name.
 */
function findShadow(shadows: readonly StoredShadow[], text: string): StoredShadow | null {
  const whole = shadows.find(({ id }) => id === text);
  if (whole) return whole;
  const [one = null, ...others] = shadows.filter(({ name }) => name === text);
  if (one === null || others.length === 0) return one;
  const ids = [one, ...others].map(({ id }) => id).join(' and ');
  throw new UsageError(`There are ${ids}: name one of them.`);
}
