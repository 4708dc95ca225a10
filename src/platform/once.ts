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
