import { workerData } from 'node:worker_threads';

import { EARLIER } from '../../../earlier/index.ts';
import { createDecoder } from '../../events/decode.ts';
import type { Position } from '../../events/log/port.ts';
import { EVENT_TYPES } from '../../events/types.ts';
import { stepBack } from '../../platform/background.ts';
import { threadCpuMs } from '../../platform/thread-cpu.ts';
import { offer } from '../../platform/worker-offer.ts';
import {
  gather,
  gatherNothing,
  handOver,
  type Gathered,
  type GatheringParts,
} from '../../projecting/engine/gathering.ts';
import type { Unfoldable } from '../../projecting/engine/parking.ts';
import { foldName, FOLDS } from './folds.ts';
import { type Packed, unpack } from './packing.ts';

export interface GatheringInput {
  readonly topicPrefix: string;
}

/** What the thread that writes asks for. Each gathering has a number of its own. */
export interface GatheringFunctions {
  /** Resolves once it can gather. */
  ready(): Promise<void>;
  begin(number: number, fold: string, from: Position): Promise<void>;
  add(number: number, batch: Packed): Promise<{ readonly documents: number; readonly cpuMs: number }>;
  /** Without the last record: whoever sent it has it. */
  finish(number: number): Promise<Gathered>;
  discard(number: number): Promise<void>;
}

stepBack();
const options = workerData as GatheringInput;
const decode = createDecoder(EVENT_TYPES, options);
const decodersOfEarlier = new Map(
  EARLIER.map(({ projection, createDecode }) => [foldName(projection), createDecode(options)]),
);
const underWay = new Map<number, { readonly gathered: Gathered; readonly parts: GatheringParts }>();

offer<GatheringFunctions>(
  {
    ready: async () => undefined,
    begin: async (number, fold, from) => {
      const projection = FOLDS.get(fold);
      if (!projection) throw new Error(`this release has no fold ${fold}`);
      const parts = { projection, decode: decodersOfEarlier.get(fold) ?? decode };
      underWay.set(number, { gathered: gatherNothing(from), parts });
    },
    add: async (number, batch) => {
      const { gathered, parts } = one(number);
      const before = threadCpuMs();
      gather(gathered, unpack(batch), parts);
      return { documents: gathered.added.size, cpuMs: threadCpuMs() - before };
    },
    finish: async (number) => {
      const { gathered } = one(number);
      underWay.delete(number);
      const { unfoldables, ...told } = handOver(gathered);
      return { ...told, unfoldables: unfoldables.map(alone), last: null };
    },
    discard: async (number) => void underWay.delete(number),
  },
  async () => undefined,
);

function one(number: number) {
  const found = underWay.get(number);
  if (!found) throw new Error(`there is no gathering ${number}`);
  return found;
}

/** A view would take the whole batch with it. */
function alone(unfoldable: Unfoldable): Unfoldable {
  if (!('record' in unfoldable)) return unfoldable;
  const { record } = unfoldable;
  return { ...unfoldable, record: { ...record, value: record.value?.slice() ?? null } };
}
