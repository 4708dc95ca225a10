export type SerialQueue = ReturnType<typeof createSerialQueue>;

/** A serial queue by key: work of one key runs one after the other, in the order asked for; other keys do not wait. */
export function createSerialQueue() {
  const last = new Map<string, Promise<unknown>>();
  return {
    run: <T>(key: string, work: () => Promise<T>): Promise<T> => {
      const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, mine);
      return mine;
    },
  };
}
