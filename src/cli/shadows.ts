import { UsageError } from '../platform/errors.ts';
import type { Projection } from '../projecting/engine/projection.ts';
import type { StoredShadow } from '../stores/shadows.ts';

/** What commands on shadows share: their names, and which documents they are to hold. */

/** @throws {UsageError} where no shadow may have the name; `b2` and the like are builds. */
export function checkShadowName(name: string): void {
  if (/^[a-z][a-z0-9-]{0,30}$/.test(name) && !/^b\d+$/.test(name)) return;
  throw new UsageError(
    `--into ${name}: a name is 1 to 31 of a-z, 0-9 and -, a letter first, and not b2, b3 and so on, which are builds.`,
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
 * The shadow that somebody means by `listings@1-weights`, or by `weights` alone; null where there is none.
 * @throws {UsageError} where several read models have one of that name.
 */
export function shadowNamed(shadows: readonly StoredShadow[], text: string): StoredShadow | null {
  const whole = shadows.find(({ id }) => id === text);
  if (whole) return whole;
  const [one = null, ...others] = shadows.filter(({ name }) => name === text);
  if (one === null || others.length === 0) return one;
  const ids = [one, ...others].map(({ id }) => id).join(' and ');
  throw new UsageError(`There are ${ids}: name one of them.`);
}

/** What `--where` asks for, by column. */
export type Where = Readonly<Record<string, string>>;

/** @throws {UsageError} where one of these is not COLUMN=VALUE, or names no column of the read model. */
export function readWhere({ name, table }: Projection, conditions: readonly string[]): Where {
  const columns = Object.keys(table?.columns ?? {});
  const pairs = conditions.map((condition) => {
    const [, column = '', value = ''] = /^([^=]+)=(.+)$/s.exec(condition) ?? [];
    if (columns.includes(column)) return [column, value] as const;
    throw new UsageError(
      `--where ${condition}: give COLUMN=VALUE, where the columns of ${name} are ${columns.join(', ')}.`,
    );
  });
  const twice = pairs.find(([column], index) => pairs.findIndex(([other]) => other === column) < index);
  if (twice) throw new UsageError(`--where names ${twice[0]} twice: a document has one value of it.`);
  return Object.fromEntries(pairs);
}

/** Whether a view has what is asked for; a value is compared with its text, one that is missing with none. */
export function keepsWhere({ table }: Projection, where: Where): (view: unknown) => boolean {
  const wanted = Object.entries(where).map(([column, value]) => {
    const paths = table?.columns[column] ?? [];
    return { paths: typeof paths === 'string' ? [paths] : paths, value };
  });
  return (view) =>
    wanted.every(({ paths, value }) => {
      const found = paths.map((path) => at({ view }, path)).find((one) => one !== undefined && one !== null);
      return value === (typeof found === 'string' ? found : JSON.stringify(found));
    });
}

function at(body: unknown, path: string): unknown {
  let value = body;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}
