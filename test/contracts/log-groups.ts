import { describe, expect, test } from 'vitest';

import { startLogChild } from '../support/log-child.ts';
import {
  eventually,
  fetchRecords,
  FOR_EVER_MS,
  freshName,
  freshTopic,
  join,
  type LogFixture,
  numbered,
  onlyAssignment,
  openLog,
  openTopic,
  positionsOf,
  textOf,
  textRecord,
  turns,
} from '../support/log-fixture.ts';

/** Subscribing and fetching: what belongs to a group and its members. */
export function logGroupsContract(fixture: () => LogFixture): void {
  describe('fetch', () => {
    /** A topic of so many records, in the hands of a group's only member. */
    const alone = async (count = 0) => {
      const { log, topic } = await openTopic(fixture());
      const positions = positionsOf(await log.append(numbered(topic, count)));
      return { log, topic, positions, assignment: await onlyAssignment(fixture(), log, topic) };
    };

    test('a position may be fetched again, and an earlier one after a later one', async () => {
      const { positions, assignment } = await alone(10);
      for (const index of [5, 5, 2, 8]) {
        const [record] = await fetchRecords(assignment, positions[index] ?? -1, 1);
        expect(record && textOf(record)).toBe(String(index));
      }
    });

    test('batches join on to each other, hold no more than was asked for, and say whether more follows, or are full where it does', async () => {
      const { assignment } = await alone(25);
      expect(await fetchRecords(assignment, 0, 25)).toHaveLength(25);
      const followed: boolean[] = [];
      const texts: (string | null)[] = [];
      for (let from = 0; followed.at(-1) !== false;) {
        const batch = await assignment.fetch(from, { maxRecords: 10, maxWaitMs: 10_000 });
        expect(batch.from).toBe(from);
        followed.push(batch.more ?? batch.records.length === 10);
        texts.push(...batch.records.map(textOf));
        from = batch.next;
      }
      expect(followed).toEqual([true, true, false]);
      expect(texts).toEqual(Array.from({ length: 25 }, (_, index) => String(index)));
    });

    test.each(['another', 'its own'])(
      'a fetch waits for the first record, and is woken by the append of %s client',
      async (whose) => {
        const { log, topic, assignment } = await alone();
        const writer = whose === 'its own' ? log : await openLog(fixture());
        const waiting = fetchRecords(assignment, 0, 1);
        await turns();
        await writer.append([textRecord(topic, 'k', 'arrived')]);
        expect((await waiting).map(textOf)).toEqual(['arrived']);
      },
    );

    test('a fetch that nothing came for is empty, and stays where it was', async () => {
      const { positions, assignment } = await alone(1);
      const from = (positions[0] ?? -1) + 1;
      const batch = await assignment.fetch(from, { maxRecords: 10, maxWaitMs: 50 });
      expect(batch).toEqual({ from, next: from, records: [] });
    });

    test('a signal ends the wait with an empty batch', async () => {
      const { assignment } = await alone();
      const stop = new AbortController();
      const waiting = assignment.fetch(0, { maxRecords: 10, maxWaitMs: FOR_EVER_MS, signal: stop.signal });
      await turns();
      stop.abort();
      expect(await waiting).toEqual({ from: 0, next: 0, records: [] });
    });

    test('a fetch below the earliest position says where it really started', async () => {
      const { log, topic } = await openTopic(fixture());
      const positions = positionsOf(await log.append(numbered(topic, 5)));
      await fixture().forget(topic, 0, positions[3] ?? -1);
      const assignment = await onlyAssignment(fixture(), log, topic);
      const batch = await assignment.fetch(positions[1] ?? -1, { maxRecords: 10, maxWaitMs: FOR_EVER_MS });
      expect(batch.from).toBe(positions[3]);
      expect(batch.records.map(textOf)).toEqual(['3', '4']);
    });

    test('a fetch below the end of a partition that was emptied says so at once', async () => {
      const { log, topic } = await openTopic(fixture());
      const positions = positionsOf(await log.append(numbered(topic, 2)));
      const [ends] = await log.ends(topic);
      await fixture().forget(topic, 0, ends?.latest ?? -1);
      const assignment = await onlyAssignment(fixture(), log, topic);
      const batch = await assignment.fetch(positions[0] ?? -1, { maxRecords: 10, maxWaitMs: FOR_EVER_MS });
      expect(batch).toEqual({ from: ends?.latest, next: ends?.latest, records: [] });
    });
  });

  describe('subscribe', () => {
    test('a member alone is assigned every partition of every topic, each once', async () => {
      const log = await openLog(fixture());
      const [one, two] = [await freshTopic(log, 1), await freshTopic(log, 2)];
      const member = await join(log, freshName(), [one, two]);
      await eventually(fixture(), () => expect(member.held.size).toBe(3));
      expect(member.gained.toSorted()).toEqual([`${one}/0`, `${two}/0`, `${two}/1`].toSorted());
      expect(member.lost).toEqual([]);
    });

    test('groups know nothing of each other: one that waits at the end holds up no other', async () => {
      const { log, topic } = await openTopic(fixture(), 2);
      const members = [await join(log, freshName(), [topic]), await join(log, freshName(), [topic])];
      await eventually(fixture(), () => expect(members.map(({ held }) => held.size)).toEqual([2, 2]));
      const places = await log.append(numbered(topic, 3));
      const [waits, reads] = members.map(({ held }) => expectHeld(held, `${topic}/${places[0]?.partition}`));
      const stop = new AbortController();
      const waiting = waits?.fetch(3, { maxRecords: 1, maxWaitMs: FOR_EVER_MS, signal: stop.signal });
      await turns();
      const batch = await reads?.fetch(0, { maxRecords: 3, maxWaitMs: 10_000 });
      stop.abort();
      await waiting;
      expect(batch?.records.map(textOf)).toEqual(['0', '1', '2']);
    });

    test('two members share the partitions, and the one that stays gets those of the one that leaves', async () => {
      const clients = [await openLog(fixture()), await openLog(fixture())] as const;
      const topic = await freshTopic(clients[0], 4);
      const group = freshName();
      const leaver = await join(clients[0], group, [topic]);
      await eventually(fixture(), () => expect(leaver.held.size).toBe(4));
      const stayer = await join(clients[1], group, [topic]);
      await eventually(fixture(), () => expectShared(topic, 4, [leaver.held, stayer.held]));

      const last = [...leaver.held.values()];
      expect(last.some(({ signal }) => signal.aborted)).toBe(false);
      await leaver.leave();
      expect(leaver.held.size).toBe(0);
      expect(leaver.lost.toSorted()).toEqual(leaver.gained.toSorted());
      expect(last.every(({ signal }) => signal.aborted)).toBe(true);
      await eventually(fixture(), () => expect(stayer.held.size).toBe(4));
    });

    test('a member that asks whether a partition is still its own is told yes while it is, and then no', async () => {
      const { log, topic } = await openTopic(fixture(), 2);
      const group = freshName();
      const leaver = await join(log, group, [topic]);
      const assignment = await eventually(fixture(), () => expectHeld(leaver.held, `${topic}/0`));
      const { signal: waiting } = new AbortController();
      expect(await assignment.confirm(waiting)).toBe(true);
      expect(await assignment.confirm(AbortSignal.abort())).toBe(false);
      expect(assignment.signal.aborted).toBe(false);
      const stayer = await join(await openLog(fixture()), group, [topic]);
      await eventually(fixture(), () => expectShared(topic, 2, [leaver.held, stayer.held]));
      for (const held of [...leaver.held.values(), ...stayer.held.values()]) {
        expect(await held.confirm(waiting)).toBe(true);
      }
      await leaver.leave();
      expect(await assignment.confirm(waiting)).toBe(false);
      expect(assignment.signal.aborted).toBe(true);
    });

    test('an assignment that was taken away fetches nothing more, and ends the fetch that waits', async () => {
      const { log, topic } = await openTopic(fixture());
      const member = await join(log, freshName(), [topic]);
      const assignment = await eventually(fixture(), () => expectHeld(member.held, `${topic}/0`));
      const waiting = assignment.fetch(0, { maxRecords: 10, maxWaitMs: FOR_EVER_MS });
      await turns();
      await member.leave();
      expect(await waiting).toEqual({ from: 0, next: 0, records: [] });
      await log.append(numbered(topic, 3));
      const batch = await assignment.fetch(0, { maxRecords: 10, maxWaitMs: FOR_EVER_MS });
      expect(batch).toEqual({ from: 0, next: 0, records: [] });
    });

    test('a fetch that waits is over when the client is disposed', async () => {
      const { log, topic } = await openTopic(fixture());
      const member = await join(log, freshName(), [topic]);
      const assignment = await eventually(fixture(), () => expectHeld(member.held, `${topic}/0`));
      const waiting = assignment.fetch(0, { maxRecords: 10, maxWaitMs: FOR_EVER_MS });
      await turns();
      await log[Symbol.asyncDispose]();
      expect(await waiting).toEqual({ from: 0, next: 0, records: [] });
      expect(member.lost).toEqual([`${topic}/0`]);
    });

    test('a topic that is created later is assigned', async () => {
      const [reader, writer] = await Promise.all([openLog(fixture()), openLog(fixture())]);
      const topic = freshName();
      const member = await join(reader, freshName(), [topic]);
      await writer.ensureTopics([{ name: topic, partitions: 2, retentionMs: null }]);
      await eventually(fixture(), () =>
        expect([...member.held.keys()].toSorted()).toEqual([`${topic}/0`, `${topic}/1`]),
      );
    });

    test('partitions that are added are assigned, and the others stay', async () => {
      const { log, topic } = await openTopic(fixture(), 1);
      const member = await join(log, freshName(), [topic]);
      await eventually(fixture(), () => expect(member.held.size).toBe(1));
      await fixture().addPartitions(topic, 3);
      await eventually(fixture(), () => expectShared(topic, 3, [member.held]));
      expect(await log.partitionCount(topic)).toBe(3);
    });

    test('the partitions of a process that was killed go to another member', async () => {
      const { log, topic } = await openTopic(fixture(), 2);
      const group = freshName();
      const child = await startLogChild(fixture().opener);
      await child.subscribe(group, [topic]);
      await eventually(fixture(), () => expect(child.held.size).toBe(2));
      const member = await join(log, group, [topic]);
      await child.signal('SIGKILL');
      await eventually(fixture(), () => expect(member.held.size).toBe(2));
    });

    test('a member goes on by itself after its storage did not answer for a while', async () => {
      const { log, topic } = await openTopic(fixture());
      const member = await join(log, freshName(), [topic]);
      await eventually(fixture(), () => expect(member.held.size).toBe(1));
      {
        await using _ = await fixture().cut();
        await expect(log.append(numbered(topic, 1))).rejects.toThrow();
      }
      await eventually(fixture(), () => log.append([textRecord(topic, 'k', 'healed')]));
      await eventually(fixture(), async () => {
        const assignment = expectHeld(member.held, `${topic}/0`);
        const { records } = await assignment.fetch(0, { maxRecords: 10, maxWaitMs: 1000 });
        expect(records.map(textOf)).toContain('healed');
      });
    });
  });
}

/** Each partition is held by exactly one of the members. */
function expectShared(
  topic: string,
  partitions: number,
  members: readonly (ReadonlySet<string> | ReadonlyMap<string, unknown>)[],
): void {
  const held = members.flatMap((member) => [...member.keys()]);
  expect(held.toSorted()).toEqual(
    Array.from({ length: partitions }, (_, partition) => `${topic}/${partition}`),
  );
}

function expectHeld<T>(held: ReadonlyMap<string, T>, name: string): T {
  const assignment = held.get(name);
  if (assignment === undefined) throw new Error(`${name} is not assigned`);
  return assignment;
}
