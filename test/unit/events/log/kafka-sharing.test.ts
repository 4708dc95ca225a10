import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { shareOut, type GroupMember } from '../../../../src/events/log/kafka/sharing.ts';
import {
  decodeMember,
  decodeShare,
  encodeMember,
  encodeShare,
} from '../../../../src/events/log/kafka/member-data.ts';

const TOPICS = ['entries', 'metrics'];

const members = fc
  .uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 8 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) => fc.record({ id: fc.constant(id), topics: fc.constant(TOPICS), held: held() })),
    ),
  );

function held(): fc.Arbitrary<number[]> {
  return fc.array(fc.nat(14), { maxLength: 12 });
}

const counts = fc
  .tuple(fc.nat(12), fc.nat(12))
  .map(([entries, metrics]) => new Map(Object.entries({ entries, metrics })));

/** The numbers of each member, whatever the topic. */
function numbersOf(
  all: readonly GroupMember[],
  count: ReadonlyMap<string, number>,
): Map<string, Set<number>> {
  const shares = shareOut(all, count);
  return new Map([...shares].map(([id, share]) => [id, new Set([...share.values()].flat())]));
}

describe('the shares of a group', () => {
  test('give every partition to exactly one member', () => {
    fc.assert(
      fc.property(members, counts, (all, count) => {
        const given = [...shareOut(all, count).values()].flatMap((share) =>
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

  test('leave everything where it is when nothing has changed', () => {
    fc.assert(
      fc.property(members, counts, (all, count) => {
        const first = numbersOf(all, count);
        const again = all.map((member) => ({ ...member, held: [...(first.get(member.id) ?? [])] }));
        expect(numbersOf(again, count)).toEqual(first);
      }),
    );
  });

  test('take from nobody more than a newcomer is due', () => {
    fc.assert(
      fc.property(members, counts, (all, count) => {
        const first = numbersOf(all, count);
        const settled = all.map((member) => ({ ...member, held: [...(first.get(member.id) ?? [])] }));
        const joined = numbersOf([...settled, { id: 'newcomer', topics: TOPICS, held: [] }], count);
        const moved = [...first].flatMap(([id, before]) =>
          [...before].filter((number) => !joined.get(id)?.has(number)),
        );
        expect(moved).toHaveLength(joined.get('newcomer')?.size ?? -1);
      }),
    );
  });

  test('do not depend on the order in which members are told of', () => {
    fc.assert(
      fc.property(members, counts, (all, count) => {
        // Two that claim one number are told apart by their ids alone.
        const untangled = all.map((member) => ({ ...member, held: [] }));
        expect(shareOut(untangled.toReversed(), count)).toEqual(shareOut(untangled, count));
      }),
    );
  });

  test('give a topic to those alone that read it', () => {
    const old: GroupMember = { id: 'old', topics: ['entries'], held: [] };
    const current: GroupMember = { id: 'new', topics: TOPICS, held: [] };
    const shares = shareOut([old, current], new Map(Object.entries({ entries: 2, metrics: 2 })));
    expect(shares.get('new')?.get('metrics')).toEqual([0, 1]);
    expect(shares.get('old')?.has('metrics')).toBe(false);
  });
});

describe('what members tell each other', () => {
  test('comes back as it was', () => {
    expect(decodeMember('m', encodeMember({ topics: TOPICS, held: [3, 1] }))).toEqual({
      id: 'm',
      topics: TOPICS,
      held: [3, 1],
    });
    const share = new Map([['a/b', [0, 2]]]);
    expect(decodeShare(encodeShare(share))).toEqual(new Set(['a/b/0', 'a/b/2']));
    expect(decodeShare(Buffer.alloc(0))).toEqual(new Set());
  });
});
