/** Numbers of entries: ascending, each once. */
export type Numbers = readonly number[];

export function union(one: Numbers, other: Numbers): Numbers {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const numbers: number[] = [];
  let [at, beside] = [0, 0];
  while (at < one.length || beside < other.length) {
    const first = one[at] ?? Infinity;
    const second = other[beside] ?? Infinity;
    numbers.push(Math.min(first, second));
    if (first <= second) at += 1;
    if (second <= first) beside += 1;
  }
  return numbers;
}

export function intersection(one: Numbers, other: Numbers): Numbers {
  return selected(one, other, true);
}

export function without(one: Numbers, other: Numbers): Numbers {
  return other.length === 0 ? one : selected(one, other, false);
}

/** Those that are among the others, or those that are not. */
function selected(one: Numbers, others: Numbers, areAmong: boolean): Numbers {
  let at = 0;
  return one.filter((number) => {
    while ((others[at] ?? Infinity) < number) at += 1;
    return (others[at] === number) === areAmong;
  });
}
