import { expect, test } from 'vitest';

import { published, unpublished } from '../../../../support/events.ts';
import { openPastStage, type PastStage } from '../../../../support/past-stage.ts';

/** `history --unpublished`: which entries, and why. */

const at = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;

async function lived(): Promise<PastStage> {
  const stage = await openPastStage();
  await stage.append(
    at(1),
    ...['a', 'b', 'c', 'd'].map((subject) => published({ subject, title: { en: `The ${subject}` } })),
  );
  await stage.append(at(2), unpublished({ subject: 'd', reason: 'gone' }));
  await stage.append(at(3), published({ subject: 'a', revision: 2, title: { en: 'New a' } }));
  await stage.append(at(4), unpublished({ subject: 'a', revision: 3, reason: 'policy', time: at(3) }));
  await stage.append(at(5), unpublished({ subject: 'b', revision: 2 }));
  // A second word on what is gone already, one that came too late, and one about what was never published.
  await stage.append(at(6), unpublished({ subject: 'b', revision: 3, reason: 'other' }));
  await stage.append(at(6), published({ subject: 'b', revision: 1, title: { en: 'Late' } }));
  await stage.append(at(6), unpublished({ subject: 'never', revision: 3 }));
  await stage.append(at(7), published({ subject: 'b', revision: 4 }));
  return stage;
}

test('each entry that readers lost is there once, with its title, when and why', async () => {
  await using stage = await lived();
  const { code, stdout } = await stage.history('--unpublished', '--since', at(3), '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    since: at(3),
    unpublished: [
      expect.objectContaining({
        slug: 'a',
        title: 'New a',
        recorded_at: at(4),
        time: at(3),
        reason: 'policy',
        published_again_at: null,
        topic: 'catalog.entries',
      }),
      expect.objectContaining({ slug: 'b', title: 'The b', reason: null, published_again_at: at(7) }),
    ],
    left_out: 0,
    cut: [],
    unreadable: [],
  });
});

test('it is a table for people', async () => {
  await using stage = await lived();
  const { stdout } = await stage.history('--unpublished', '--locale', 'en');
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^slug +title +in the log +reason +published again$/),
    expect.stringMatching(/^d +The d +2026-01-02 00:00:00 +gone +-$/),
    expect.stringMatching(/^a +New a +2026-01-04 00:00:00 +policy +-$/),
    expect.stringMatching(/^b +The b +2026-01-05 00:00:00 +- +2026-01-07 00:00:00$/),
    '',
  ]);
});

test('nothing found is said, and is no failure', async () => {
  await using stage = await lived();
  const { code, stdout } = await stage.history('--unpublished', '--since', at(8));
  expect({ code, stdout }).toEqual({ code: 0, stdout: `No entry was unpublished since ${at(8)}.\n` });
});

test('a time that is still to come is refused', async () => {
  await using stage = await lived();
  const { code, stderr } = await stage.history('--unpublished', '--since', '9999-01-01T00:00:00Z');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^catalog: --since must lie between 2026-01-01T00:00:00\.000Z .+ and now, .+\n$/);
});
