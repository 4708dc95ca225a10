/**
 * Lets calls share one piece of work: those that are made in one turn of the event loop are answered by it together. Each
 * gets its own answer, and all of them the error where it throws.
 */
export function together<Asked, Answer>(
  work: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
): (asked: Asked) => Promise<Answer> {
  let waiting: (PromiseWithResolvers<Answer> & { readonly asked: Asked })[] = [];

  async function answerAll(): Promise<void> {
    const all = waiting;
    waiting = [];
    try {
      const answers = await work(all.map(({ asked }) => asked));
      for (const [index, { resolve }] of all.entries()) resolve(answers[index] as Answer);
    } catch (thrown) {
      for (const { reject } of all) reject(thrown);
    }
  }

  return (asked) => {
    const one = { ...Promise.withResolvers<Answer>(), asked };
    if (waiting.push(one) === 1) setImmediate(() => void answerAll());
    return one.promise;
  };
}
