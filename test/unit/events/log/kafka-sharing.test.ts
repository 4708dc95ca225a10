import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  decodeMember,
  decodeShare,
  encodeMember,
  encodeShare,
  type GroupMember,
  assignPartitions,
} from '../../../../src/events/log/kafka/partition-assignor.ts';

const TOPICS = ['entries', 'metrics'];

const members = fc
  .uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 8 })
  .map((ids) => ids.map((id) => ({ id, topics: TOPICS })));

const counts = fc
  .tuple(fc.nat(12), fc.nat(12))
  .map(([entries, metrics]) => new Map(Object.entries({ entries, metrics })));

/** The numbers of each member, whatever the topic. */
function numbersOf(
  all: readonly GroupMember[],
  count: ReadonlyMap<string, number>,
): Map<string, Set<number>> {
  const shares = assignPartitions(all, count);
  return new Map([...shares].map(([id, share]) => [id, new Set([...share.values()].flat())]));
}

describe('the shares of a group', () => {
  test('give every partition to exactly one member', () => {
    fc.assert(
      fc.property(members, counts, (all, count) => {
        const given = [...assignPartitions(all, count).values()].flatMap((share) =>
          [...share].flatMap(([topic, partitions]) => partitions.map((partition) => `${topic}/${partition}`)),
        );
        const wanted = [...count].flatMap(([topic, number]) =>
          Array.from({ length: number }, (_, partition) => `${topic}/${partition}`),
        );
        expect(given.toSorted()).toEqual(wanted.toSorted());
      }),
    );
  });

  test('keep the partitions of one number together, and differ by one number at most', () => {
    fc.assert(
      fc.property(members, counts, (all, count) => {
        const numbers = [...numbersOf(all, count).values()];
        expect(numbers.reduce((sum, { size }) => sum + size, 0)).toBe(Math.max(...count.values()));
        const sizes = numbers.map(({ size }) => size);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('do not depend on the order in which members are told of', () => {
    fc.assert(
      fc.property(members, counts, (all, count) => {
        expect(assignPartitions(all.toReversed(), count)).toEqual(assignPartitions(all, count));
      }),
    );
  });

  test('give a topic to those alone that read it', () => {
    const old: GroupMember = { id: 'old', topics: ['entries'] };
    const current: GroupMember = { id: 'new', topics: TOPICS };
    const shares = assignPartitions([old, current], new Map(Object.entries({ entries: 2, metrics: 2 })));
    expect(shares.get('new')?.get('metrics')).toEqual([0, 1]);
    expect(shares.get('old')?.has('metrics')).toBe(false);
  });
});

test('what members tell each other comes back as it was', () => {
  expect(decodeMember('m', encodeMember(TOPICS))).toEqual({ id: 'm', topics: TOPICS });
  const share = new Map([['a/b', [0, 2]]]);
  expect(decodeShare(encodeShare(share))).toEqual(new Set(['a/b/0', 'a/b/2']));
  expect(decodeShare(Buffer.alloc(0))).toEqual(new Set());
});
