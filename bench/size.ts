/**
 * How much a benchmark measures. `BENCH_ENTRIES`, `BENCH_EVENTS` and their like go before its own: for trying it, as its goals are
 * for its own size.
 */
export function sizeOr<Own extends Readonly<Record<string, number>>>(own: Own): Own {
  const asked = Object.entries(own).map(([name, count]) => [
    name,
    Number(process.env[`BENCH_${name.toUpperCase()}`] ?? count),
  ]);
  return Object.fromEntries(asked) as Own;
}
