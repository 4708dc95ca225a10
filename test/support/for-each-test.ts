import { afterEach, beforeEach } from 'vitest';

/**
 * A stage that each test of a file has anew, and that is disposed of after it. What is asked for here is asked of the
 * stage of the test that runs.
 */
export function forEachTest<Stage extends AsyncDisposable>(open: () => Promise<Stage>): Stage {
  let stage: Stage;
  beforeEach(async () => {
    stage = await open();
  });
  afterEach(() => stage[Symbol.asyncDispose]());
  return new Proxy({} as Stage, {
    get: (_, name) => Reflect.get(stage, name) as unknown,
    set: (_, name, value) => Reflect.set(stage, name, value),
  });
}
