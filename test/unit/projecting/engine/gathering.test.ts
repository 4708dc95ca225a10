import { expect, test } from 'vitest';

import type { Decode } from '../../../../src/events/decode.ts';
import type { LogRecord } from '../../../../src/events/log/port.ts';
import { gather, gatherNothing, handOver } from '../../../../src/projecting/engine/gathering.ts';
import type { Projection } from '../../../../src/projecting/engine/projection.ts';
import {
  type InPlace,
  keyed,
  lastWriterWins,
  record,
  type Register,
  type Written,
} from '../../../../src/projecting/engine/register.ts';

interface State {
  readonly days: Readonly<Record<string, Written<string> | null>>;
  readonly size: number;
}

/** A register of somebody's own, whose join refuses some states. */
const size: Register<number> = {
  empty: 0,
  join: (a, b) => {
    if (b < 0) throw new RangeError('a size below nothing');
    return Math.max(a, b);
  },
  conflicts: () => 0,
};

/** In place, a number is what `join` makes of it. */
const PLAIN: InPlace<number> = {
  copy: (state) => state,
  joinAt(holder, key, b) {
    const ours = holder[key] ?? 0;
    holder[key] = Math.max(ours, b);
    return b > ours;
  },
};

const at = (revision: number): Written<string> => ({ at: revision, digest: 'a', value: `v${revision}` });

/** Gathers what is said to be added to documents, one event for each. */
function gathered(
  registers: Register<State>,
  events: readonly (readonly [id: string, added: Partial<State>])[],
) {
  const projection = {
    registers,
    documentId: (event: { readonly subject: string }) => event.subject,
    contribution: (event: { readonly data: Partial<State> }) => ({ ...registers.empty, ...event.data }),
  } as unknown as Projection;
  const records = events.map((_, position) => ({ position }) as LogRecord);
  const decode = (({ position }: LogRecord) => {
    const [subject, data] = events[position] ?? ['', {}];
    return { outcome: 'event', unknownFields: 0, event: { subject, data } };
  }) as unknown as Decode;
  const all = gatherNothing(0);
  gather(all, { records, next: records.length }, { projection, decode });
  return handOver(all);
}

test('what follows for a document is joined to a copy: neither what registers begin with nor another document changes', () => {
  const registers = record<State>({
    days: keyed(lastWriterWins<string>()),
    size: { ...size, inPlace: PLAIN },
  });
  const { added, counts } = gathered(registers, [
    ['a', { size: 1 }],
    ['a', { days: { d1: at(1) } }],
    ['a', { days: { d1: at(1) } }],
    ['a', { days: { d1: at(2), d2: at(1) } }],
    ['b', { size: 2 }],
    ['b', { size: 1 }],
  ]);
  expect([...added]).toEqual([
    ['a', { days: { d1: at(2), d2: at(1) }, size: 1 }],
    ['b', { days: {}, size: 2 }],
  ]);
  expect(counts).toMatchObject({ applied: 4, superseded: 2, parked: 0 });
  expect(registers.empty).toEqual({ days: {}, size: 0 });
});

test('an event whose join fails is parked whole, and leaves nothing behind', () => {
  const registers = record<State>({ days: keyed(lastWriterWins<string>()), size });
  const { added, counts, unfoldables } = gathered(registers, [
    ['a', { size: 1 }],
    ['a', { days: { d9: at(9) }, size: -1 }],
    ['a', { days: { d3: at(3) } }],
    ['a', { days: { d9: at(9) }, size: -1 }],
    ['b', { size: 1 }],
  ]);
  expect([...added]).toEqual([
    ['a', { days: { d3: at(3) }, size: 1 }],
    ['b', { days: {}, size: 1 }],
  ]);
  expect([counts.applied, counts.parked, unfoldables.length]).toEqual([3, 2, 2]);
  expect(registers.empty).toEqual({ days: {}, size: 0 });
});
