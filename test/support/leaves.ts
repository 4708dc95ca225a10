/** Every text in an object of texts, with the way to it. */
export function leavesOf(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, member]) =>
    leavesOf(member, path === '' ? key : `${path}.${key}`),
  );
}
