/** How much a benchmark measures. */
export interface Size {
  readonly entries: number;
  readonly events: number;
}

/** `BENCH_ENTRIES` and `BENCH_EVENTS` go before its own: for trying it, as its goals are for its own size. */
export function sizeOr(own: Size): Size {
  return {
    entries: Number(process.env['BENCH_ENTRIES'] ?? own.entries),
    events: Number(process.env['BENCH_EVENTS'] ?? own.events),
  };
}
