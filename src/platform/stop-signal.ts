/**
 * A signal that is aborted by the first SIGINT or SIGTERM, with its name as the reason. The second one ends the process at
 * once: nobody presses Ctrl-C twice without meaning it.
 */
export function stopSignal(): AbortSignal & Disposable {
  const stopping = new AbortController();
  const stop = (name: NodeJS.Signals): void => {
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort(name);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const name of signals) process.on(name, stop);
  return Object.assign(stopping.signal, {
    [Symbol.dispose]: () => {
      for (const name of signals) process.off(name, stop);
    },
  });
}
