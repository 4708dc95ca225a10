import { getHeapStatistics } from 'node:v8';
import { crc32 } from 'node:zlib';

import type { Decode } from '../../events/decode.ts';
import { evolve, type Projection } from '../engine/projection.ts';
import type { Portion } from './records.ts';

/**
 * A fold in memory, of as many documents as fit: where there are more, it goes on with half of them and leaves the other
 * half to another pass over the same records. The fold is a join, so which documents share a pass makes no difference.
 */
export interface Pass {
  /** By document. */
  readonly registers: ReadonlyMap<string, unknown>;
  /** What is left to further passes. */
  readonly rest: readonly Share[];
  /** Between the bounds. */
  readonly records: number;
  /** Of them, those that were left out or cannot be decoded. */
  readonly leftOut: number;
  /** Events that the fold of a document in this pass could not take. */
  readonly failed: number;
}

/** Those documents whose ids have a number that leaves `at` when it is divided by `of`. */
interface Share {
  readonly of: number;
  readonly at: number;
}

export const ALL: Share = { of: 1, at: 0 };

/**
 * Documents held at once: a 90 days' history of an entry takes about 15 KiB, and half of the memory that Node allows is
 * left to what is read and written meanwhile.
 */
export const HELD = Math.ceil(getHeapStatistics().heap_size_limit / (32 * 1024));

interface PassOptions {
  readonly decode: Decode;
  readonly share: Share;
  /** Documents held at once, at least 1. */
  readonly held: number;
  readonly onProgress?: ((read: number) => void) | undefined;
}

export async function foldPass(
  projection: Projection,
  portions: AsyncIterable<Portion>,
  { decode, held, onProgress, ...options }: PassOptions,
): Promise<Pass> {
  let { share } = options;
  const rest: Share[] = [];
  const registers = new Map<string, unknown>();
  /** By document, so that none is counted in two passes. */
  const failed = new Map<string, number>();
  let [read, records, leftOut] = [0, 0, 0];
  for await (const portion of portions) {
    for (const record of portion.records) {
      const decoded = decode(record);
      if (decoded.outcome === 'rejected') leftOut += 1;
      if (decoded.outcome !== 'event') continue;
      const { event } = decoded;
      const id = projection.documentId(event);
      if (id === null || !isIn(share, id)) continue;
      try {
        registers.set(id, evolve(projection, registers.get(id) ?? projection.registers.empty, event));
      } catch {
        // As a projector does, which parks such an event.
        failed.set(id, (failed.get(id) ?? 0) + 1);
      }
      if (registers.size <= held) continue;
      rest.push({ of: share.of * 2, at: share.at + share.of });
      share = { of: share.of * 2, at: share.at };
      for (const map of [registers, failed])
        for (const known of map.keys()) if (!isIn(share, known)) map.delete(known);
    }
    read += portion.read;
    records += portion.records.length + portion.leftOut;
    leftOut += portion.leftOut;
    onProgress?.(read);
  }
  const failures = [...failed.values()].reduce((sum, count) => sum + count, 0);
  return { registers, rest, records, leftOut, failed: failures };
}

function isIn({ of, at }: Share, id: string): boolean {
  return of === 1 || crc32(id) % of === at;
}
