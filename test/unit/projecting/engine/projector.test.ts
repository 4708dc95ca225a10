import { describe, expect, test } from 'vitest';

import type { Log } from '../../../../src/events/log/port.ts';
import { verifyProjection } from '../../../../src/projecting/inspect/verify.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { NOTES } from '../../../support/fake-projection.ts';
import { overriding } from '../../../support/overriding.ts';

const engine = forEachTest(() => openEngine(1));

const LANE = 'notes@1/notes/0';
const verify = () => verifyProjection(NOTES, { ...engine.parts, signal: new AbortController().signal });

describe('a projector', () => {
  test('joins a group whose name begins as the topics do: another installation on the same log is no member of it', async () => {
    const groups: string[] = [];
    const subscribe: Log['subscribe'] = (group, topics, handlers) => {
      groups.push(group);
      return engine.log.subscribe(group, topics, handlers);
    };
    await engine.log.ensureTopics([{ name: 'staging.notes', partitions: 1, retentionMs: null }]);
    await engine.start({
      log: overriding(engine.log, { subscribe }),
      topicName: (topic) => `staging.${topic}`,
    });
    expect(groups).toEqual(['staging.notes@1']);
  });

  test('parks what cannot be decoded or folded, tells upstream, and goes on with everything else', async () => {
    await engine.start();
    await engine.publish(
      ['a', 1, 'fine'],
      { raw: '{' },
      ['b', 1, 'boom'],
      ['b', 2, 'fine'],
      ['b', 3, 'no view'],
    );
    await engine.settled();
    expect(await engine.notes()).toEqual({ a: 'fine', b: 'fine' });
    const parked = await engine.parked();
    expect(parked.map(({ id }) => id)).toEqual([1, 2, 4].map((position) => `${LANE}/${position}`));
    expect(parked[0]?.body).toMatchObject({
      state: 'parked',
      key: 'raw',
      value: Buffer.from('{').toString('base64'),
    });
    expect((await engine.checkpoint())?.counts).toEqual({ applied: 2, superseded: 0, parked: 3, ignored: 0 });
    const announced: string[] = [];
    for await (const batch of engine.log.read({ topic: 'rejected', partition: 0, from: 0, to: 3 })) {
      for (const { key, value } of batch.records)
        announced.push(`${key} ${String(JSON.parse(String(Buffer.from(value ?? []))).data.reason)}`);
    }
    expect(announced).toEqual([
      '/test not a note',
      expect.stringContaining('the contribution threw'),
      expect.stringContaining('the view threw'),
    ]);
    expect(await verify()).toMatchObject({ ok: true });
  });
});
