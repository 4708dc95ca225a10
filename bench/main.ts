import { parseArgs } from 'node:util';

import { note, print } from '../src/cli/output.ts';
import { BENCHMARKS } from './benchmarks.ts';
import { type Benchmark, machine, record, reportOf } from './report.ts';
import { embedded, startServices } from './stores.ts';

/** `npm run bench -- [NAME...] [--quick] [--services] [--pairs N] [--record]` */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    services: { type: 'boolean', default: false },
    pairs: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});
const { quick, services } = values;
const pairs = Number(values.pairs ?? (quick ? 5 : 24));
const sliceMs = quick ? 1000 : 2000;
const namesOf = ({ name, rows = [] }: Benchmark): readonly string[] => [name, ...rows];
const unknown = positionals.filter((name) =>
  BENCHMARKS.every((benchmark) => !namesOf(benchmark).includes(name)),
);
if (unknown.length > 0 || !Number.isSafeInteger(pairs) || pairs < 1) {
  const names = BENCHMARKS.map(({ name, rows }) => (rows ? `${name} (${rows.join(', ')})` : name)).join(', ');
  note(`bench: expected [NAME...] [--quick] [--services] [--pairs N] [--record]; the names are ${names}.`);
  process.exitCode = 2;
} else {
  await using stores = services ? await startServices() : embedded();
  if (services) print([stores.told, '']);
  for (const benchmark of BENCHMARKS) {
    const isAsked =
      positionals.length > 0
        ? namesOf(benchmark).some((name) => positionals.includes(name))
        : !quick || benchmark.isQuick;
    const { on: runsOn } = benchmark;
    if (!isAsked || (services ? runsOn === undefined : runsOn === 'services')) continue;
    const on = services ? [machine(), stores.told] : [machine()];
    print([`${benchmark.name}: ${benchmark.title}`, ...on, '']);
    const figures = await benchmark.run({ pairs, sliceMs, stores, say: note });
    print([...reportOf(figures).split('\n'), '']);
    if (values.record) record(benchmark, figures, on.join('\n'));
    // The quick form is for every commit, on any machine: what is only missed there is for the full one to say.
    const isBad = figures.some(({ verdict }) => verdict === 'failed' || (!quick && verdict === 'missed'));
    if (isBad) process.exitCode = 1;
  }
}
