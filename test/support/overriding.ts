/** The object with some of its methods replaced; the others still run on the object itself, private fields and all. */
export function overriding<Target extends object>(target: Target, changed: Partial<Target>): Target {
  return new Proxy(target, {
    get: (_, name) => {
      const found: unknown = Reflect.get(name in changed ? changed : target, name);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
}
