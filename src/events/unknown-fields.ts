/**
 * How many fields came that the schema did not keep, nested ones included (one that holds others counts once). Upstream
 * may add fields at any time; the count tells that it has, or that a name is misspelt.
 */
export function countUnknownFields(received: unknown, kept: unknown): number {
  if (!isContainer(received) || !isContainer(kept)) return 0;
  return Object.keys(received).reduce((count, name) => {
    if (!Object.hasOwn(kept, name)) return count + 1;
    return count + countUnknownFields(received[name], kept[name]);
  }, 0);
}

/** Lists too: their indexes are the same on both sides. */
function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
