import type { Documents } from './documents/port.ts';

/** Makes a call, whose method is `name`: of a scan, the reading of a batch. */
type CallWrapper = <T>(call: () => Promise<T>, name: string) => Promise<T>;

/**
 * The same documents, each of whose calls goes through `around`, asked for as it was: who stands between can leave nothing of
 * a question out.
 */
export function wrapCalls<Store extends Partial<Documents>>(documents: Store, around: CallWrapper): Store {
  return new Proxy(documents, {
    get(_, name) {
      const method: unknown = Reflect.get(documents, name);
      if (typeof method !== 'function') return method;
      const call = (...asked: unknown[]): unknown => Reflect.apply(method, documents, asked);
      if (typeof name === 'symbol') return call;
      if (name !== 'scan') return (...asked: unknown[]) => around(async () => await call(...asked), name);
      return (...asked: unknown[]) => eachBatch(call(...asked) as AsyncIterable<unknown>, around);
    },
  });
}

async function* eachBatch(scan: AsyncIterable<unknown>, around: CallWrapper): AsyncGenerator {
  const batches = scan[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await around(() => batches.next(), 'scan');
    if (done) return;
    yield value;
  }
}
