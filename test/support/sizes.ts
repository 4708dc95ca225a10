/**
 * How much the generated tests do: in `npm test`, and in `npm run test:long`. An environment variable of the name of a
 * size goes before either. docs/guides/long-tests.md says what each one counts.
 */
export const SIZES = {
  LAW_CASES: { usual: 200, long: 5000 },
  SIMULATE_SEEDS: { usual: 60, long: 2000 },
  QUOTA_RUNS: { usual: 30, long: 1000 },
  PLACES_RUNS: { usual: 30, long: 1000 },
  AGREEMENT_RUNS: { usual: 10, long: 500 },
  SERVICES_AGREEMENT_RUNS: { usual: 5, long: 100 },
  PAST_RUNS: { usual: 8, long: 500 },
  FUZZ_BATCHES: { usual: 1000, long: 50_000 },
  CONTRACT_CASES: { usual: 100, long: 1000 },
  HOSTILE_QUERIES: { usual: 500, long: 10_000 },
  CRASH_ENTRIES: { usual: 500, long: 20_000 },
  CRASH_EVENTS: { usual: 10_000, long: 300_000 },
  CRASH_KILLS: { usual: 3, long: 5 },
  REBUILD_ENTRIES: { usual: 300, long: 100_000 },
  REBUILD_EVENTS: { usual: 10_000, long: 1_000_000 },
  REBUILD_KILLS: { usual: 2, long: 5 },
  ROLLING_EVENTS: { usual: 10_000, long: 1_000_000 },
  SERVICES_EVENTS: { usual: 2000, long: 100_000 },
} as const;

/** Tests whose long form is another matter than their usual one. */
export const LONG_TESTS = [
  'test/laws/**/*.test.ts',
  'test/simulate/simulate.test.ts',
  'test/unit/access/*/*.model.test.ts',
  'test/unit/cli/commands/history/moment.test.ts',
  'test/unit/events/log/kafka-fuzz.test.ts',
  'test/contracts/{documents,search}.sqlite.test.ts',
  'test/e2e/api/search-agreement.test.ts',
  'test/e2e/crash.test.ts',
  'test/history/rebuild-killed.test.ts',
];

/**
 * What takes long and few changes touch: whole releases, processes that are killed, indexes that are lost, and the
 * simulator. In `npm run test:slow`.
 */
export const SLOW_TESTS = [
  'test/e2e/{crash,identity,lost-index,operating}.test.ts',
  'test/simulate/**/*.test.ts',
  'test/history/**/*.test.ts',
  'test/folds/frozen.test.ts',
  'test/unit/cli/commands/{archive,diff,history,replay,shadows}*/**/*.test.ts',
  'test/unit/cli/commands/{archive,diff,history,replay,shadows}*.test.ts',
  'test/unit/keep/**/*.test.ts',
  'test/unit/projecting/replay/**/*.test.ts',
  'test/unit/projecting/inspect/diff/**/*.test.ts',
];

export type Size = keyof typeof SIZES;
type Variables = Readonly<Record<string, string | undefined>>;

export function sizeOf(size: Size): number {
  return Number(process.env[size] ?? SIZES[size].usual);
}

/** What everybody runs tries the same cases every day, so that it fails for a change and never for the calendar. */
const USUAL_SEED = 1;

/**
 * The variables that make a run usual or long, whatever of them is not given. A long run takes the number of the day since
 * 1970 as its seed: it looks for cases that nobody has tried yet.
 */
export function environmentOf(
  form: 'usual' | 'long',
  given: Variables = process.env,
): Record<string, string> {
  const own = Object.entries(SIZES).map(([name, sizes]) => [name, given[name] ?? String(sizes[form])]);
  const seed = form === 'usual' ? USUAL_SEED : daysOf(Date.now());
  return { ...Object.fromEntries(own), TEST_SEED: given['TEST_SEED'] ?? String(seed) };
}

function daysOf(ms: number): number {
  return Math.floor(ms / 86_400_000);
}
