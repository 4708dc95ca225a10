import type { Log } from '../../src/events/log/port.ts';

/** A process of its own on a log, driven by messages (log-child.ts): contract suites kill it, stop it, race with it. */

export interface LogOpener {
  /** The file URL of the adapter's module. */
  readonly module: string;
  /** The function in it that opens the log. */
  readonly name: string;
  readonly args: readonly unknown[];
}

export type Order =
  | { readonly do: 'open'; readonly opener: LogOpener }
  | { readonly do: 'subscribe'; readonly group: string; readonly topics: readonly string[] }
  /** Appends `batches` times `size` records with this key, values `0`, `1`, ... in order. */
  | {
      readonly do: 'append';
      readonly topic: string;
      readonly key: string;
      readonly batches: number;
      readonly size: number;
    };

export type Report =
  | { readonly done: Order['do'] }
  /** `TOPIC/PARTITION` */
  | { readonly assigned: string }
  | { readonly revoked: string }
  /** How many records have been acknowledged so far. */
  | { readonly appended: number };

let log: Log | undefined;

process.on('message', (order: Order) => void carryOut(order));
process.on('disconnect', () => process.exit());

async function carryOut(order: Order): Promise<void> {
  switch (order.do) {
    case 'open': {
      const adapter = (await import(order.opener.module)) as Record<string, (...args: unknown[]) => unknown>;
      log = (await adapter[order.opener.name]?.(...order.opener.args)) as Log;
      break;
    }
    case 'subscribe':
      await log?.subscribe(order.group, order.topics, {
        assigned: ({ topic, partition }) => report({ assigned: `${topic}/${partition}` }),
        revoked: ({ topic, partition }) => report({ revoked: `${topic}/${partition}` }),
      });
      break;
    case 'append':
      for (let batch = 0; batch < order.batches; batch += 1) {
        const values = Array.from({ length: order.size }, (_, index) => String(batch * order.size + index));
        const { topic, key } = order;
        await log?.append(values.map((value) => ({ topic, key, value: Buffer.from(value), headers: {} })));
        report({ appended: (batch + 1) * order.size });
      }
      break;
  }
  report({ done: order.do });
}

function report(message: Report): void {
  process.send?.(message);
}
