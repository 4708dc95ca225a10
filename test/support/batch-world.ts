import { seeded } from './histories.ts';
import {
  encodeBatch,
  encodeMark,
  encodeOldMessage,
  sign,
  type BatchOptions,
  type BatchRecord,
} from './record-batches.ts';
import type { AnswerPart, ScriptedKafka } from './scripted-kafka.ts';

/** A partition of Kafka as a seed makes it, and what somebody or something has done to it. */
export interface BatchWorld {
  readonly kafka: ScriptedKafka;
  readonly from: number;
  readonly to: number;
  /** What is to be read, by position: everything that was put in and not given up. */
  readonly expected: ReadonlyMap<number, string>;
  /** What nobody can read, though nothing has happened to it: it is to be left out, and said so. */
  readonly isOld: (position: number) => boolean;
  /** What may be left out: positions of batches that were changed where they are kept. */
  readonly mayBeLeftOut: (position: number) => boolean;
  /** Positions of a batch that says that it begins elsewhere, which no checksum covers: its records may stand there. */
  readonly isMoved: (position: number) => boolean;
  /** Somebody has signed other records than those that were put in: they are what they are. */
  readonly isForged: (position: number) => boolean;
  readonly damage: string;
}

interface Stored {
  readonly base: number;
  /** Where the broker takes it to end. */
  end: number;
  bytes: Buffer;
}

const DAMAGES = ['none', 'on the way', 'kept', 'moved', 'cut', 'forged', 'stuffed', 'refused'] as const;

export function makeBatchWorld(seed: number): BatchWorld {
  const random = seeded(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const expected = new Map<number, string>();
  const aborted: { readonly producerId: bigint; readonly firstOffset: number; readonly end: number }[] = [];
  const batches: Stored[] = [];
  let base = below(4) === 0 ? below(1_000_000) : 0;
  const start = base;
  const put = (bytes: Buffer, count: number): void => {
    batches.push({ base, end: base + count, bytes });
    base += count;
  };
  const records = (isKept: boolean): BatchRecord[] => {
    const isHuge = below(2000) === 0;
    const count = isHuge ? 20 + below(20) : 1 + below(6);
    const made: BatchRecord[] = [];
    for (let delta = 0; delta < count; delta += 1) {
      // Compaction leaves holes.
      if (delta > 0 && below(8) === 0) continue;
      const text = `${seed}/${base + delta}/`.padEnd(isHuge ? 200 * 1024 : below(60), 'abc'.slice(below(3)));
      made.push({
        delta,
        key: below(3) === 0 ? null : Buffer.from('key'),
        value: Buffer.from(text),
        headers: below(4) === 0 ? [['name', text.slice(0, 9)]] : [],
      });
      if (isKept) expected.set(base + delta, text);
    }
    return made;
  };
  for (let left = 1 + below(4); left > 0; left -= 1) {
    const codec = below(5);
    switch (below(8)) {
      case 0: {
        const lastDelta = below(5);
        put(encodeBatch(base, [], { lastDelta }), lastDelta + 1);
        break;
      }
      case 1:
      case 2: {
        const isAborted = below(2) === 0;
        const producerId = BigInt(below(3));
        const made = records(!isAborted);
        const count = (made.at(-1)?.delta ?? 0) + 1;
        if (isAborted) aborted.push({ producerId, firstOffset: base, end: base + count + 1 });
        const options: BatchOptions = { codec, isTransactional: true, producerId };
        put(encodeBatch(base, made, options), count);
        put(encodeMark(base, producerId, isAborted ? 'abort' : 'commit'), 1);
        break;
      }
      default: {
        if (below(20) === 0) {
          put(encodeOldMessage(base, Buffer.from('old')), 1);
          break;
        }
        const made = records(true);
        put(encodeBatch(base, made, { codec }), (made.at(-1)?.delta ?? 0) + 1);
      }
    }
    if (below(6) === 0) base += below(5);
  }
  const to = batches.at(-1)?.end ?? 0;
  const damaged = damage(batches, random);
  return {
    kafka: {
      batches,
      abortedFrom: (from) => aborted.filter(({ end }) => end > from),
      // A batch that says that it begins elsewhere is found out by the one behind it.
      ...(below(3) === 0 && !damaged.isFoundByNext ? { answerBytes: 40 + below(400) } : {}),
      ...(below(4) === 0 ? { others: [2] } : {}),
      ...(damaged.answer ? { answer: damaged.answer } : {}),
    },
    from: start + below(Math.min(8, to - start)),
    to,
    expected,
    ...damaged,
  };
}

type Damage = Pick<BatchWorld, 'isOld' | 'mayBeLeftOut' | 'isMoved' | 'isForged' | 'damage'> &
  Pick<ScriptedKafka, 'answer'> & { readonly isFoundByNext?: boolean };

function damage(batches: Stored[], random: () => number): Damage {
  const below = (limit: number): number => Math.floor(random() * limit);
  const kind = DAMAGES[below(DAMAGES.length)] ?? 'none';
  const victim = batches[below(batches.length)] as Stored;
  const olds = batches.filter(({ bytes }) => bytes.readInt8(16) < 2);
  const old = (position: number): boolean => olds.some((one) => one.base <= position && position < one.end);
  const { base, end } = victim;
  const isVictim = (position: number): boolean => base <= position && position < end;
  const to = batches.at(-1)?.end ?? 0;
  const nothing: Damage = {
    damage: kind,
    isOld: old,
    mayBeLeftOut: old,
    isMoved: () => false,
    isForged: () => false,
  };
  const moved: Damage = {
    ...nothing,
    isMoved: isVictim,
    // Nothing says which one of two that overlap is wrong.
    mayBeLeftOut: () => true,
    isFoundByNext: true,
  };
  const flip = (bytes: Buffer): { readonly bytes: Buffer; readonly isMoved: boolean } => {
    const copy = Buffer.from(bytes);
    let isMoved = false;
    for (let left = 1 + below(3); left > 0 && copy.length > 0; left -= 1) {
      const at = below(2) === 0 ? below(copy.length) : below(Math.min(61, copy.length));
      copy.writeUInt8(copy.readUInt8(at) ^ (1 + below(255)), at);
      isMoved ||= at < 8;
    }
    return { bytes: copy, isMoved };
  };
  switch (kind) {
    case 'none':
      return nothing;
    case 'on the way': {
      const times = 1 + below(3);
      const seeds = Array.from({ length: times }, () => below(2 ** 31));
      const answer = (part: AnswerPart, { count }: { readonly count: number }): AnswerPart => {
        const seed = seeds[count - 1];
        if (seed === undefined || part.bytes.length < 8) return part;
        const own = seeded(seed);
        const bytes = Buffer.from(part.bytes);
        // Nowhere where a batch says where it begins: a position that is wrong and possible cannot be told from a right one.
        const safe = Array.from(bytes.keys()).filter((at) => !isWhereItBegins(bytes, at));
        const at = safe[Math.floor(own() * safe.length)] ?? 8;
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 + Math.floor(own() * 255)), at);
        return { ...part, bytes: own() < 0.2 ? bytes.subarray(0, Math.floor(own() * bytes.length)) : bytes };
      };
      return { ...nothing, answer };
    }
    case 'kept': {
      const { bytes, isMoved } = flip(victim.bytes);
      victim.bytes = bytes;
      if (isMoved) return moved;
      return { ...nothing, mayBeLeftOut: (position) => old(position) || isVictim(position) };
    }
    case 'moved': {
      // Into the one behind it. A broker finds batches by where they say that they end.
      const behind = batches[batches.indexOf(victim) + 1];
      const by = (behind?.base ?? 0) - victim.end + 1 + below(8);
      if (!behind || victim.end + by > to || olds.includes(victim) || olds.includes(behind)) return nothing;
      victim.bytes = Buffer.from(victim.bytes);
      victim.bytes.writeBigInt64BE(BigInt(victim.base + by), 0);
      victim.end += by;
      return moved;
    }
    case 'cut':
      victim.bytes = victim.bytes.subarray(0, 1 + below(victim.bytes.length - 1));
      return { ...nothing, mayBeLeftOut: (position) => old(position) || isVictim(position) };
    case 'forged': {
      if (victim.bytes.readInt8(16) !== 2) return nothing;
      const bytes = Buffer.from(victim.bytes);
      // A mark that says something else decides about what comes after it: nobody can tell what was meant.
      const isMark = (bytes.readInt16BE(21) & 0x20) !== 0;
      const isForged = (position: number): boolean =>
        isVictim(position) || (isMark && position >= victim.base);
      const forged = { ...nothing, mayBeLeftOut: (position: number) => old(position) || isVictim(position) };
      switch (below(5)) {
        case 0:
          bytes.writeInt32BE(below(20) - 5, 57);
          victim.bytes = sign(bytes);
          return forged;
        case 1:
          bytes.writeInt32BE(below(2) === 0 ? 0x7fffffff : -1, 57);
          victim.bytes = sign(bytes);
          return forged;
        case 2:
          bytes.writeInt16BE((bytes.readInt16BE(21) & ~7) | below(8), 21);
          break;
        case 3: {
          const last = victim.end - victim.base - 1;
          const deltas = [below(last + 3), below(last + 3), below(last + 3)];
          const made = deltas.map((delta) => ({ delta: delta - 1, value: Buffer.from('forged') }));
          victim.bytes = encodeBatch(victim.base, made, { codec: below(5), lastDelta: last });
          return { ...forged, isForged };
        }
        default:
          for (let left = 1 + below(3); left > 0 && bytes.length > 61; left -= 1)
            bytes.writeUInt8(below(256), 61 + below(bytes.length - 61));
      }
      victim.bytes = sign(bytes);
      return { ...forged, isForged };
    }
    case 'stuffed': {
      const stuffing = Buffer.from(Array.from({ length: 1 + below(90) }, () => below(256)));
      victim.bytes = Buffer.concat(below(2) === 0 ? [victim.bytes, stuffing] : [stuffing, victim.bytes]);
      return { ...nothing, mayBeLeftOut: (position) => old(position) || isVictim(position) };
    }
    case 'refused': {
      const code = [1, 2, 3, 6, 56, -1][below(6)] ?? 2;
      const times = 1 + below(3);
      return {
        ...nothing,
        answer: (part, { count }) => (count <= times ? { errorCode: code, bytes: Buffer.alloc(0) } : part),
      };
    }
  }
}

/** Whether this byte is one of those that say where a batch begins. */
function isWhereItBegins(bytes: Buffer, place: number): boolean {
  for (let at = 0; at + 12 <= bytes.length; at += 12 + bytes.readInt32BE(at + 8)) {
    if (place >= at && place < at + 8) return true;
    if (at > place) return false;
  }
  return false;
}
