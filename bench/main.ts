import { note, print } from '../src/cli/output.ts';
import { messageOf, UsageError } from '../src/platform/errors.ts';
import { type Asked, helpLines, readAsked } from './asked.ts';
import { type Figure, machine, record, reportOf } from './report.ts';
import { embedded, startServices } from './stores.ts';

/** `npm run bench -- [NAME...] [--quick] [--services] [--pairs N] [--record]` */
try {
  const asked = readAsked(process.argv.slice(2));
  if (asked) await measure(asked);
  else print(helpLines());
} catch (thrown) {
  note(`bench: ${messageOf(causeOf(thrown))}`);
  process.exitCode = thrown instanceof UsageError ? 2 : 1;
}

async function measure({ benchmarks, services, ...asked }: Asked): Promise<void> {
  const { quick, names, pairs } = asked;
  await using stores = services ? await startServices() : embedded();
  if (services) print([stores.told, '']);
  for (const benchmark of benchmarks) {
    const on = services ? [machine(), stores.told] : [machine()];
    print([`${benchmark.name}: ${benchmark.title}`, ...on, '']);
    const all: Figure[] = [];
    try {
      const sliceMs = quick ? 1000 : 2000;
      for await (const figures of benchmark.run({ quick, names, pairs, sliceMs, stores, say: note })) {
        print([...reportOf(figures).split('\n'), '']);
        all.push(...figures);
      }
    } catch (thrown) {
      // The others are measured all the same.
      note(`bench: ${benchmark.name}: ${messageOf(causeOf(thrown))}`);
      process.exitCode = 1;
    }
    if (asked.record && all.length > 0) record(benchmark, all, on.join('\n'));
    // The quick form is for every commit, on any machine: what is only missed there is for the full one to say.
    const isBad = all.some(({ verdict }) => verdict === 'failed' || (!quick && verdict === 'missed'));
    if (isBad) process.exitCode = 1;
  }
}

/** What went wrong first: what is closed because of it may fail too. */
function causeOf(thrown: unknown): unknown {
  return thrown instanceof SuppressedError ? causeOf(thrown.suppressed) : thrown;
}
