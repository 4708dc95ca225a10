/** Asks again and again, one request after the other, and counts what came of it. */
export interface Reader extends AsyncDisposable {
  /** Ends the reading: how often there was which outcome. */
  outcomes(): Promise<ReadonlyMap<number, number>>;
}

const PAUSE_MS = 300;

/** Begins at once. */
export function readAll(ask: () => Promise<number>): Reader {
  const outcomes = new Map<number, number>();
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      const outcome = await ask();
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();
  const end = async (): Promise<ReadonlyMap<number, number>> => {
    isOver = true;
    await done;
    return outcomes;
  };
  return {
    outcomes: end,
    [Symbol.asyncDispose]: async () => void (await end()),
  };
}
