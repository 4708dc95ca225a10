import type { Batch, Position } from '../port.ts';
import type { Fault } from './record-batch.ts';
import { KEPT_BYTES } from './unreadable.ts';

/** The range that a fault comes to in the end. */
export function* givenUp(
  { topic, partition }: { readonly topic: string; readonly partition: number },
  { from, reason, bytes }: Fault,
  to: Position,
): Generator<Batch, void, undefined> {
  yield {
    from,
    next: to,
    records: [],
    unreadable: [
      {
        topic,
        partition,
        from,
        to,
        code: 'unreadable',
        reason,
        bytes: bytes.length === 0 ? null : bytes.subarray(0, KEPT_BYTES),
        timestamp: 0,
      },
    ],
  };
}

/** A fault that the broker itself has found: it gives nothing out then. */
export function refusedAt(from: Position): Fault {
  const reason = 'the broker finds it damaged and does not give it out';
  return { kind: 'damaged', from, to: null, reason, bytes: Buffer.alloc(0) };
}
