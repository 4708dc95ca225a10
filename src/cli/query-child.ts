import { run } from './run.ts';

/** The process that a query runs in: `query-process.ts` started it. */

/** DuckDB keeps its own data below 1 GB; the rest is what one function takes beyond it, the process itself, and reading. */
const MOST_BYTES = 1_500_000_000;
const EVERY_MS = 50;

const watch = setInterval(() => {
  if (process.memoryUsage.rss() > MOST_BYTES) process.send?.('memory');
}, EVERY_MS);
watch.unref();
// Nobody waits for the answer any more.
const die = (): boolean => process.kill(process.pid, 'SIGKILL');
process.on('disconnect', die);
process.exitCode = await run(process.argv);
// It would keep the process.
process.off('disconnect', die).disconnect?.();
