import { vi } from 'vitest';

/** Runs with everything that differs from one moment or machine to the next made to throw. */
export function withoutSurroundings(run: () => void): void {
  const forbidden = (): never => {
    throw new Error('A projection must not ask for this');
  };
  const spies = [
    vi.spyOn(Math, 'random').mockImplementation(forbidden),
    vi.spyOn(performance, 'now').mockImplementation(forbidden),
    vi.spyOn(crypto, 'randomUUID').mockImplementation(forbidden),
    vi.spyOn(crypto, 'getRandomValues').mockImplementation(forbidden),
    vi.spyOn(process.hrtime, 'bigint').mockImplementation(forbidden),
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockImplementation(forbidden),
  ];
  vi.stubGlobal('Date', dateWithoutClock(forbidden));
  try {
    run();
  } finally {
    vi.unstubAllGlobals();
    for (const spy of spies) spy.mockRestore();
  }
}

function dateWithoutClock(forbidden: () => never): DateConstructor {
  return new Proxy(Date, {
    apply: forbidden,
    construct: (target, values: unknown[]) =>
      values.length === 0 ? forbidden() : Reflect.construct(target, values),
    get: (target, key) => (key === 'now' ? forbidden : Reflect.get(target, key)),
  });
}
