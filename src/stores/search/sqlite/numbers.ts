import { giveWay } from '../../../platform/give-way.ts';
import type { Bindable } from '../../../platform/sqlite-statements.ts';
import type { SqliteConnection } from './connection.ts';

/** Numbers of entries: ascending, each once. */
export type Numbers = readonly number[];

/** What a query gives as `n`, each once. They come as one text: rows by the ten thousand take as long as finding them. */
export function numbersOf(
  connection: Pick<SqliteConnection, 'rows'>,
  sql: string,
  ...values: readonly Bindable[]
): Numbers {
  const [row] = connection.rows(`SELECT json_group_array(n) FROM (${sql})`, ...values);
  giveWay();
  const numbers = JSON.parse(String(row?.[0])) as number[];
  giveWay();
  const isAscending = numbers.every((number, at) => at === 0 || (numbers[at - 1] ?? 0) < number);
  return isAscending ? numbers : numbers.toSorted((one, other) => one - other);
}

export function union(one: Numbers, other: Numbers): Numbers {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  giveWay();
  const numbers: number[] = [];
  let at = 0;
  for (const number of one) {
    for (let next = other[at]; next !== undefined && next <= number; next = other[at]) {
      if (next < number) numbers.push(next);
      at += 1;
    }
    numbers.push(number);
  }
  return at === other.length ? numbers : numbers.concat(other.slice(at));
}

export function intersection(one: Numbers, other: Numbers): Numbers {
  return selected(one, other, true);
}

export function without(one: Numbers, other: Numbers): Numbers {
  return other.length === 0 ? one : selected(one, other, false);
}

/** Those that are among the others, or those that are not. */
function selected(one: Numbers, others: Numbers, areAmong: boolean): Numbers {
  giveWay();
  let at = 0;
  return one.filter((number) => {
    while ((others[at] ?? Infinity) < number) at += 1;
    return (others[at] === number) === areAmong;
  });
}
