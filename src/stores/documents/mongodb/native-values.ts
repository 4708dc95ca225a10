import { isJsonObject, type Json } from '../../../platform/json-value.ts';
import { isName, rootOf } from '../check-names.ts';
import { RefusedForGood } from '../port.ts';

/** As deep as a path goes (check-names.ts). */
const DEEPEST = 20;

/**
 * The value of a native key as BSON holds it: what JSON text would say. Undefined where JSON has no word for it: then the body
 * does not have the key.
 * @throws {RefusedForGood} where it has a key that is no name, more than 20 levels, or an object or a list where one of
 * the indexes' `paths` leads, or a list on the way there.
 */
export function nativeOf(
  id: string,
  key: string,
  value: unknown,
  paths: readonly string[],
): Json | undefined {
  const refuse = (reason: string): never => {
    throw new RefusedForGood(`The document ${JSON.stringify(id)} was refused: ${key} has ${reason}.`, [id]);
  };
  const native = copyOf(value, DEEPEST);
  for (const path of paths) {
    if (rootOf(path) === key && !isScalarAt(native, path.split('.').slice(1)))
      refuse(`no scalar where an index expects one: ${path}`);
  }
  return native;

  function copyOf(one: unknown, deep: number): Json | undefined {
    if (typeof one === 'string') return one.toWellFormed();
    // JSON has no -0.
    if (typeof one === 'number') return Number.isFinite(one) ? one + 0 : null;
    if (typeof one === 'boolean' || one === null) return one;
    if (typeof one !== 'object') return undefined;
    if (deep === 0) return refuse(`more than ${DEEPEST} levels`);
    if (Array.isArray(one)) return Array.from(one, (member) => copyOf(member, deep - 1) ?? null);
    const copy: Record<string, Json> = {};
    for (const [name, member] of Object.entries(one) as [string, unknown][]) {
      const copied = copyOf(member, deep - 1);
      if (copied === undefined) continue;
      if (!isName(name)) refuse(`the key ${JSON.stringify(name)}, which is no name`);
      copy[name] = copied;
    }
    return copy;
  }
}

/** Whether nothing, or a scalar, stands where these keys lead. */
function isScalarAt(value: unknown, [key, ...keys]: readonly string[]): boolean {
  if (Array.isArray(value)) return false;
  if (!isJsonObject(value)) return true;
  return key !== undefined && isScalarAt(value[key], keys);
}
