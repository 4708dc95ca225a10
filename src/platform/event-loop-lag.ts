import { monitorEventLoopDelay } from 'node:perf_hooks';

import { Gauge, type Registry } from 'prom-client';

/**
 * How long the turns of the event loop took since the last reading. Measured by the turn: the usual way, a timer every
 * 10 ms, wakes a thread that has nothing to do a hundred times a second. The names are those that Prometheus's client
 * has for its own figures, whose place these take.
 */
export function measureEventLoop(registry: Registry, prefix: string): void {
  const turns = monitorEventLoopDelay({ samplePerIteration: true });
  turns.enable();
  const all: { readonly gauge: Gauge; readonly value: () => number }[] = [];
  for (const [figure, { help, value }] of Object.entries(FIGURES)) {
    const name = `${prefix}nodejs_eventloop_lag_${figure}_seconds`;
    registry.removeSingleMetric(name);
    // The first of them reads all, so that they are of one moment.
    const collect = all.length === 0 ? { collect: () => read() } : {};
    const gauge = new Gauge({ name, help, registers: [registry], ...collect });
    all.push({ gauge, value: () => value(turns) });
  }

  function read(): void {
    const hasTurns = turns.count > 0;
    for (const { gauge, value } of all) gauge.set(hasTurns ? value() / 1e9 : 0);
    turns.reset();
  }
}

type Turns = ReturnType<typeof monitorEventLoopDelay>;

interface Figure {
  readonly help: string;
  readonly value: (turns: Turns) => number;
}

const FIGURES: Readonly<Record<string, Figure>> = {
  min: { help: 'The shortest turn of the event loop since the last reading.', value: ({ min }) => min },
  max: { help: 'The longest turn of the event loop since the last reading.', value: ({ max }) => max },
  mean: { help: 'What a turn of the event loop took in the mean.', value: ({ mean }) => mean },
  stddev: { help: 'The standard deviation of the turns of the event loop.', value: ({ stddev }) => stddev },
  p50: { help: 'Half of the turns of the event loop took less.', value: (turns) => turns.percentile(50) },
  p90: { help: '90 % of the turns of the event loop took less.', value: (turns) => turns.percentile(90) },
  p99: { help: '99 % of the turns of the event loop took less.', value: (turns) => turns.percentile(99) },
};
