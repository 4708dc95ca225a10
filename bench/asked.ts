import { parseArgs } from 'node:util';

import { messageOf, UsageError } from '../src/platform/errors.ts';
import { BENCHMARKS } from './benchmarks.ts';
import type { Benchmark, BenchmarkOptions } from './report.ts';

/** What a run was asked for on the command line. */
export interface Asked extends Pick<BenchmarkOptions, 'quick' | 'names' | 'pairs'> {
  readonly benchmarks: readonly Benchmark[];
  readonly services: boolean;
  readonly record: boolean;
}

const USAGE = '[NAME...] [--quick] [--services] [--pairs N] [--record]';

/**
 * Null where help is wanted.
 * @throws {UsageError} where it is none of this, or a name is not measured on these stores.
 */
export function readAsked(args: readonly string[]): Asked | null {
  const { values, positionals: names } = parsed(args);
  const { quick, services, record, help } = values;
  if (help) return null;
  const pairs = Number(values.pairs ?? (quick ? 5 : 24));
  const unknown = names.filter((name) => BENCHMARKS.every((one) => !isNamed(one, name)));
  if (unknown.length > 0 || !Number.isSafeInteger(pairs) || pairs < 1) {
    throw new UsageError(`expected ${USAGE}; the names are ${BENCHMARKS.map(nameOf).join(', ')}.`);
  }
  const here = BENCHMARKS.filter(({ on }) => (services ? on === 'both' : true));
  const elsewhere = names.filter((name) => here.every((one) => !isNamed(one, name)));
  if (elsewhere.length > 0) {
    throw new UsageError(`${elsewhere.join(', ')}: on files alone, so without --services`);
  }
  const benchmarks = here.filter((one) =>
    names.length > 0 ? names.some((name) => isNamed(one, name)) : !quick || one.isQuick,
  );
  return { benchmarks, quick, names, services, pairs, record };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        services: { type: 'boolean', default: false },
        pairs: { type: 'string' },
        record: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (thrown) {
    throw new UsageError(`${messageOf(thrown)} Expected ${USAGE}`);
  }
}

function isNamed({ name, rows = [] }: Benchmark, asked: string): boolean {
  return name === asked || rows.includes(asked);
}

function nameOf({ name, rows }: Benchmark): string {
  return rows ? `${name} (${rows.join(', ')})` : name;
}

export function helpLines(): readonly string[] {
  const longest = Math.max(...BENCHMARKS.map((one) => nameOf(one).length));
  return [
    `npm run bench -- ${USAGE}`,
    '',
    ...BENCHMARKS.map((one) => {
      const place = one.on === 'both' ? 'files or services' : 'files';
      return `  ${nameOf(one).padEnd(longest)}  ${one.title} (${place})`;
    }),
    '',
    'With --services: TEST_KAFKA_URL, TEST_MONGODB_URL and TEST_MEILISEARCH_URL (TEST_MEILISEARCH_KEY) name what is there;',
    'what they do not name is started as it is for npm run test:services.',
  ];
}
