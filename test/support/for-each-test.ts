import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

type MayBeDisposed = object & Partial<AsyncDisposable>;

/**
 * A stage that each test of a file has anew, and that is disposed of after it where it can be. What is asked for here is asked of the
 * stage of the test that runs.
 */
export function forEachTest<Stage extends MayBeDisposed>(open: () => Promise<Stage> | Stage): Stage {
  let stage: Stage;
  beforeEach(async () => {
    stage = await open();
  });
  afterEach(() => stage[Symbol.asyncDispose]?.());
  return standingFor(() => stage);
}

/** A stage that all tests of a file share: opened before the first one, disposed of after the last. */
export function forAllTests<Stage extends AsyncDisposable>(
  open: () => Promise<Stage>,
  mostMs?: number,
): Stage {
  let stage: Stage;
  beforeAll(async () => {
    stage = await open();
  }, mostMs);
  afterAll(() => stage[Symbol.asyncDispose]());
  return standingFor(() => stage);
}

function standingFor<Stage extends object>(stage: () => Stage): Stage {
  return new Proxy({} as Stage, {
    get: (_, name) => Reflect.get(stage(), name) as unknown,
    set: (_, name, value) => Reflect.set(stage(), name, value),
    // For whoever spreads it.
    ownKeys: () => Reflect.ownKeys(stage()),
    getOwnPropertyDescriptor: (_, name) => {
      const found = Reflect.getOwnPropertyDescriptor(stage(), name);
      return found && { ...found, configurable: true };
    },
  });
}
