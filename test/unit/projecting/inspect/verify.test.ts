import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../../../src/platform/errors.ts';
import { CHECKPOINTS, type Checkpoint } from '../../../../src/projecting/engine/lane.ts';
import { PARKED, type ParkedEvent } from '../../../../src/projecting/engine/parking.ts';
import { StoppedError } from '../../../../src/projecting/engine/retry.ts';
import { verifyProjection, type Verification } from '../../../../src/projecting/inspect/verify.ts';
import { type Documents, type Stored } from '../../../../src/stores/documents/port.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { NOTES, type NoteRegisters, type NoteView } from '../../../support/fake-projection.ts';
import { overriding } from '../../../support/overriding.ts';
import { putDocument } from '../../../support/documents.ts';

/** A check that has never failed is no evidence: every kind of damage must be found, and nothing but damage. */

const LANE = 'notes@1/notes/0';

interface Note {
  readonly registers: NoteRegisters;
  readonly view: NoteView;
}

const engine = forEachTest(() => openEngine(1));

function verify(parts: Partial<Parameters<typeof verifyProjection>[1]> = {}): Promise<Verification> {
  return verifyProjection(NOTES, { ...engine.parts, signal: new AbortController().signal, ...parts });
}

/** Two notes, one of them rewritten, and a record that is parked: all of it consumed, and the projector gone. */
const project = () => engine.consume(['a', 1, 'one'], { raw: '{' }, ['b', 1, 'old'], ['b', 2, 'new']);

async function change<Body extends object>(
  collection: string,
  id: string,
  damage: (body: Body) => Body,
): Promise<void> {
  const stored = (await engine.documents.get<Body>(collection, [id])).get(id);
  if (!stored) throw new Error(`no ${id}`);
  await putDocument(engine.documents, collection, id, damage(stored.body));
}

async function remove(collection: string, id: string): Promise<void> {
  const read = (await engine.documents.versions(collection, [id])).get(id) ?? '';
  await engine.documents.remove(collection, [{ id, read }]);
}

/** A note with another content of its register, and the view that goes with it. */
function rewritten(content: Partial<NonNullable<NoteRegisters['note']>>) {
  return ({ registers: { note } }: Note): Note => {
    const changed = note && { ...note, ...content };
    return { registers: { note: changed }, view: { text: changed?.value ?? null } };
  };
}

const DIFFERS = 'it differs from the fold of the log';

const MISSING = 'events define it, and it is missing';

/** What is done to what is stored, where that is found, and what is said of it. */
const DAMAGE: readonly (readonly [string, () => Promise<unknown>, where: string, problem: string])[] = [
  ['another value in a register', () => change('notes@1', 'a', rewritten({ value: 'other' })), 'a', DIFFERS],
  ['a revision that no event has', () => change('notes@1', 'a', rewritten({ at: 7 })), 'a', DIFFERS],
  [
    'a register that has fallen back to an older event',
    () =>
      change(
        'notes@1',
        'b',
        rewritten({ at: 1, value: 'old', digest: Buffer.from('1old').toString('hex').padEnd(32, '0') }),
      ),
    'b',
    DIFFERS,
  ],
  [
    'a view that is not the view of its registers',
    () => change<Note>('notes@1', 'a', (body) => ({ ...body, view: { text: 'other' } })),
    'a',
    'its view differs from its registers',
  ],
  ['a lost document', () => remove('notes@1', 'a'), 'a', MISSING],
  [
    'a document that no event explains',
    () => {
      const note = { at: 1, digest: 'd', value: 'x' };
      return putDocument(engine.documents, 'notes@1', 'z', { registers: { note }, view: { text: 'x' } });
    },
    'z',
    'no event in the log defines it',
  ],
  [
    'a checkpoint that counts a record less than it passed',
    () =>
      change<Checkpoint>(CHECKPOINTS.name, LANE, (body) => ({
        ...body,
        counts: { ...body.counts, applied: body.counts.applied - 1 },
      })),
    LANE,
    'its counts differ from the records of the log: 3 counted, 4 in the log',
  ],
  [
    'a lost parked event',
    () => remove(PARKED.name, `${LANE}/1`),
    `${LANE}/1`,
    'a record was neither applied nor parked: not a note',
  ],
  [
    'a register that is lost, where the log was cut',
    () => {
      engine.cut(2);
      return change<Note>('notes@1', 'b', () => ({ registers: { note: null }, view: { text: null } }));
    },
    'b',
    DIFFERS,
  ],
  [
    'a document that is lost, where the log was cut',
    () => {
      engine.cut(2);
      return remove('notes@1', 'b');
    },
    'b',
    MISSING,
  ],
];

describe('verification finds', () => {
  test.each(DAMAGE)('%s', async (_, make, where, problem) => {
    await project();
    expect(await verify()).toMatchObject({ ok: true, findings: [] });
    await make();
    expect(await verify()).toMatchObject({ ok: false, problems: 1, findings: [{ where, problem }] });
  });

  test('a lost document whose events were parked in the log before, of which this one is a copy', async () => {
    await project();
    const [{ id, body }] = (await engine.parked()) as [Stored<ParkedEvent>];
    await putDocument(engine.documents, PARKED.name, `${id}~1`, body);
    const [batch] = await Array.fromAsync(
      engine.log.read({ topic: 'notes', partition: 0, from: 2, to: 4, signal: new AbortController().signal }),
    );
    for (const { position, timestamp } of batch?.records ?? []) {
      const decided = { ...body, position, timestamp };
      await putDocument(engine.documents, PARKED.name, `${LANE}/${position}`, decided);
    }
    await change<Checkpoint>(CHECKPOINTS.name, LANE, (held) => ({ ...held, incarnation: 1 }));
    expect(await verify()).toMatchObject({ ok: true, records: 4, findings: [] });
    await remove('notes@1', 'b');
    const findings = [{ where: 'b', problem: MISSING }];
    expect(await verify()).toMatchObject({ ok: false, problems: 1, findings });
  });

  test('a log that is younger than the checkpoint, and comes to an end with it', async () => {
    await project();
    await using younger = await openEngine(1);
    await younger.publish(['a', 1, 'one']);
    const { ok, findings } = await verify({ log: younger.log });
    expect(ok).toBe(false);
    expect(findings).toContainEqual({
      where: LANE,
      code: 'halted',
      problem: expect.stringContaining('the log ends at 1, before the checkpoint 4'),
    });
  });
});

describe('verification has nothing against', () => {
  test('documents that are ahead of their checkpoint, since a projector was killed between the two', async () => {
    await engine.start({ documents: withoutCheckpointsAfterThe(1, engine.documents) });
    await engine.publish(['a', 1, 'one']);
    await engine.settled();
    await engine.publish(['a', 2, 'two'], ['b', 1, 'one']);
    await expect.poll(() => engine.notes()).toEqual({ a: 'two', b: 'one' });
    expect(await verify()).toMatchObject({ ok: true, records: 1, lag: 2, findings: [] });
  });

  test('a redrive that was killed before it took the event off the list', async () => {
    await engine.consume(['a', 1, 'one'], ['a', 2, 'boom']);
    const [parked] = await engine.parked();
    const fixed = { ...NOTES, contribution: contributionOfAnything };
    const documents = overriding(engine.documents, { remove: () => Promise.reject(new Error('killed')) });
    const redriving = engine.redrive(parked as Stored<ParkedEvent>, { documents, projections: [fixed] });
    await expect(redriving).rejects.toThrow('killed');
    expect(await engine.notes()).toEqual({ a: 'boom' });
    const signal = new AbortController().signal;
    expect(await verifyProjection(fixed, { ...engine.parts, signal })).toMatchObject({ ok: true });
  });

  test('a projector that works meanwhile: documents may be ahead of the fold that they are compared with', async () => {
    await project();
    await engine.start();
    let revision = 2;
    const documents = overriding(engine.documents, {
      scan: async function* <Body>(collection: string) {
        if (collection === 'notes@1') {
          revision += 1;
          await engine.publish(['b', revision, `r${revision}`], [`n${revision}`, 1, 'new'], { raw: '{' });
          await engine.settled();
        }
        yield* engine.documents.scan<Body>(collection);
      },
    });
    expect(await verify({ documents })).toMatchObject({ ok: true, documents: 3, records: 4, findings: [] });
  });

  test('documents that were made of what the log has forgotten', async () => {
    await project();
    engine.cut(3);
    expect(await verify()).toMatchObject({ ok: true, logCut: true, documents: 2, records: 1 });
  });
});

test('a verification that is called off throws, and finds nothing wrong in what it has not read', async () => {
  await expect(verify({ signal: AbortSignal.abort() })).rejects.toThrow(StoppedError);
  await project();
  await expect(verify({ signal: AbortSignal.abort() })).rejects.toThrow(StoppedError);
  const stopping = new AbortController();
  const documents = overriding(engine.documents, {
    find: (...args) => (stopping.abort(), engine.documents.find(...args)),
  });
  await expect(verify({ documents, signal: stopping.signal })).rejects.toThrow(StoppedError);
});

/** A store that takes no checkpoint beyond a position, as if the projector had been killed before it. */
function withoutCheckpointsAfterThe(position: number, documents: Documents): Documents {
  return overriding(documents, {
    write: async (collection, writes) => {
      const isTooFar = writes.some(({ body }) => Number((body as Partial<Checkpoint>).position) > position);
      if (collection === CHECKPOINTS.name && isTooFar) throw new PermanentError('killed');
      return documents.write(collection, writes);
    },
  });
}

function contributionOfAnything(event: Parameters<typeof NOTES.contribution>[0]): NoteRegisters {
  const { revision, text } = event.data as { readonly revision: number; readonly text: string };
  return { note: { at: revision, digest: event.digest.slice(0, 32), value: text } };
}
