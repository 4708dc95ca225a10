import { parseArgs } from 'node:util';

import { note, print } from '../src/cli/output.ts';
import { BENCHMARKS } from './benchmarks.ts';
import { machine, record, reportOf } from './report.ts';

/** `npm run bench -- [NAME...] [--pairs N] [--record]` */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '24' }, record: { type: 'boolean', default: false } },
});
const pairs = Number(values.pairs);
const unknown = positionals.filter((name) => BENCHMARKS.every((benchmark) => benchmark.name !== name));
if (unknown.length > 0 || !Number.isSafeInteger(pairs) || pairs < 1) {
  const names = BENCHMARKS.map(({ name }) => name).join(', ');
  note(`bench: expected [NAME...] [--pairs N] [--record]; the names are ${names}.`);
  process.exitCode = 2;
} else {
  for (const benchmark of BENCHMARKS) {
    if (positionals.length > 0 && !positionals.includes(benchmark.name)) continue;
    const on = machine();
    print([benchmark.title, on, '']);
    const figures = await benchmark.run({ pairs, say: note });
    print([...reportOf(figures).split('\n'), '']);
    if (values.record) record(benchmark, figures, on);
    if (figures.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
  }
}
