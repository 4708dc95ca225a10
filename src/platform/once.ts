/** Makes a value when it is first asked for, and once. A promise that fails is made again for whoever asks next. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    if (made !== null) return made.value;
    const first = { value: make() };
    made = first;
    if (first.value instanceof Promise) first.value.catch(() => (made = null));
    return first.value;
  };
}

/**
 * What is kept for the newest name alone: the live collection or index, of which there is one at a time. What was
 * kept for the one before a cut-over is forgotten; a request that still holds its name makes it again.
 */
export function memoizeLatest<Value>(make: (name: string) => Value): (name: string) => Value {
  let kept: { readonly name: string; readonly value: Value } | null = null;
  return (name) => {
    if (kept?.name !== name) kept = { name, value: make(name) };
    return kept.value;
  };
}
