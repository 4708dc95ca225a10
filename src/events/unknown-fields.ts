/**
 * The fields that came and that the schema did not keep, nested ones included (one that holds others is one field), by
 * their paths: `data.desciption`, `data.links[].title`. Upstream may add fields at any time; they tell that it has, or
 * that a name is misspelt.
 */
export function unknownFields(received: unknown, kept: unknown): readonly string[] {
  const found: string[] = [];
  find(received, kept, 'data', found);
  return found;
}

function find(received: unknown, kept: unknown, path: string, found: string[]): void {
  if (!isContainer(received) || !isContainer(kept)) return;
  const isList = Array.isArray(received);
  for (const name of Object.keys(received)) {
    const value = received[name];
    const isKept = Object.hasOwn(kept, name);
    // Most fields are neither unknown nor hold others: no path is made for those.
    if (isKept && !isContainer(value)) continue;
    const own = isList ? `${path}[]` : `${path}.${name}`;
    if (isKept) find(value, kept[name], own, found);
    else found.push(own);
  }
}

/** Lists too: their indexes are the same on both sides. */
function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
