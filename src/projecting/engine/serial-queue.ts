/** Runs work of the same name one after the other, in the order asked for; work of other names is not delayed. */
export interface Turns {
  take<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take: (name, work) => {
      const mine = (last.get(name) ?? Promise.resolve()).then(work, work);
      last.set(name, mine);
      return mine;
    },
  };
}
