/** A caller that waits for an answer. */
export interface Waiter<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/** Waiting callers, by what they wait for, first come first. */
export interface Queue<Key, Answer> {
  add(key: Key): Promise<Answer>;
  /** Puts waiters back, in front of those who came meanwhile. */
  putBack(key: Key, waiters: readonly Waiter<Answer>[]): void;
  /** Empties the queue and returns those that waited in it. */
  drain(): ReadonlyMap<Key, readonly Waiter<Answer>[]>;
  isEmpty(): boolean;
}

export function createQueue<Key, Answer>(): Queue<Key, Answer> {
  let waiting = new Map<Key, Waiter<Answer>[]>();
  return {
    add(key) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const others = waiting.get(key);
      if (others) others.push({ resolve, reject });
      else waiting.set(key, [{ resolve, reject }]);
      return promise;
    },
    putBack(key, waiters) {
      if (waiters.length > 0) waiting.set(key, [...waiters, ...(waiting.get(key) ?? [])]);
    },
    drain() {
      const drained = waiting;
      waiting = new Map();
      return drained;
    },
    isEmpty: () => waiting.size === 0,
  };
}
