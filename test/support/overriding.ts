/** The object with some of its members replaced; the others still run on the object itself, private fields and all. */
export function overriding<Target extends object>(
  target: Target,
  changed: { readonly [Name in keyof Target]?: Target[Name] | undefined },
): Target {
  return new Proxy(target, {
    get: (_, name) => {
      const found: unknown = Reflect.get(name in changed ? changed : target, name);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
}
