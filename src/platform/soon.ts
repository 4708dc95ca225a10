/**
 * A value that is mostly there already. What follows then runs at once, in the same turn of the event loop, and costs no
 * promise; where it is still to come, it is an ordinary one.
 */
export type Soon<T> = T | Promise<T>;

/** Goes on with the value as soon as it is there. Throws what `follow` throws, or rejects with it. */
export function after<T, R>(value: Soon<T>, follow: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(follow) : follow(value);
}

/** Likewise with two, which are waited for together. */
export function afterBoth<A, B, R>(a: Soon<A>, b: Soon<B>, follow: (a: A, b: B) => Soon<R>): Soon<R> {
  if (!(a instanceof Promise)) return after(b, (second) => follow(a, second));
  if (!(b instanceof Promise)) return a.then((first) => follow(first, b));
  return Promise.all([a, b]).then(([first, second]) => follow(first, second));
}

/** Begins something whose outcome may not be wanted: a failure of it is met by whoever waits for it, and by nobody else. */
export function ahead<T>(work: () => Soon<T>): Promise<T> {
  const outcome = Promise.try(work);
  outcome.catch(() => undefined);
  return outcome;
}
