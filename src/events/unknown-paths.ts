/**
 * The fields that came and that the schema did not keep, by their paths: `data.desciption`, `data.links[].title`. The
 * same fields as unknown-fields.ts counts; beside it, because a fold is made of that file and not of this one.
 */
export function unknownPaths(received: unknown, kept: unknown, path = 'data'): readonly string[] {
  if (!isContainer(received) || !isContainer(kept)) return [];
  return Object.entries(received).flatMap(([name, value]) => {
    const own = Array.isArray(received) ? `${path}[]` : `${path}.${name}`;
    return Object.hasOwn(kept, name) ? unknownPaths(value, kept[name], own) : [own];
  });
}

/** Lists too: their indexes are the same on both sides. */
function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
