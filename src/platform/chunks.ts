/** A list in parts of at most `size`. */
export function* chunks<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

/** Everything that `read` gives behind an id, by id, in batches of `size`: nothing is skipped where others come and go. */
export async function* batchesAfter<Item extends { readonly id: string }>(
  size: number,
  read: (after: string) => Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const batch: readonly Item[] = await read(after);
    if (batch.length > 0) yield batch;
    after = batch.length < size ? undefined : batch.at(-1)?.id;
  }
}
