import { composeKeys } from '../../src/compose/keys-and-accounts.ts';
import type { Parts } from '../../src/compose/parts.ts';

/** Each of an account of its own, for a load that uses up the day of many; `name` tells those that are made later apart. */
export async function manyKeys(parts: Parts, count: number, name = 'many'): Promise<string[]> {
  const keys = await composeKeys(parts);
  const made: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const created = await keys.create(`${name}-${index}`);
    if (created.outcome !== 'created') throw new Error(`No key: ${created.outcome}`);
    made.push(created.key);
  }
  return made;
}
