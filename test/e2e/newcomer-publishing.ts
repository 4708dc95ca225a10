import { describe, expect, test } from 'vitest';

import type { Status } from '../../src/monitor/body.ts';
import { probed, published, targetDefined, unpublished } from '../support/events.ts';
import { CONTENT, eventually, SLUG, type Newcomer } from './newcomer-stage.ts';

export function describePublishing(newcomer: () => Newcomer): void {
  describe('publishing from a second terminal', () => {
    test('an unpublished entry is 404 and leaves search, top and categories; only a newer revision brings it back', async () => {
      const before = Number((await newcomer().get('/categories')).body['total']);
      const search = () => newcomer().get(`/search?q=${SLUG}&limit=50`);
      const found = Number((await search()).body['total']);
      await newcomer().publish(unpublished({ subject: SLUG, revision: 2 }));
      await eventually(
        () => newcomer().get(`/listings/${SLUG}`),
        ({ status }) => status === 404,
      );
      await eventually(
        () => newcomer().get('/categories'),
        ({ body }) => body['total'] === before - 1,
      );
      const top = await eventually(
        () => newcomer().get('/top?kind=channel&limit=100'),
        ({ body }) => body['total'] !== undefined,
      );
      expect(JSON.stringify(top.body)).not.toContain(`"${SLUG}"`);
      const gone = await eventually(search, ({ body }) => body['total'] === found - 1);
      expect(JSON.stringify(gone.body['items'])).not.toContain(`"${SLUG}"`);

      await newcomer().publish(published({ subject: SLUG, revision: 1, ...CONTENT }));
      expect((await newcomer().get(`/listings/${SLUG}`)).status).toBe(404);

      await newcomer().publish(published({ subject: SLUG, revision: 3, ...CONTENT }));
      const { body } = await eventually(
        () => newcomer().get(`/listings/${SLUG}?locale=en`),
        ({ status }) => status === 200,
      );
      expect(body['title']).toBe('Republished');
      await eventually(
        () => newcomer().get('/categories'),
        (answer) => answer.body['total'] === before,
      );
      const back = await eventually(search, (answer) => answer.body['total'] === found);
      expect(JSON.stringify(back.body['items'])).toContain(`"${SLUG}"`);
    });

    test('probes become the state of the monitor, which needs no key and is not behind', async () => {
      const subject = 'published-here';
      // Rounds that have counted, and are not yet old.
      const last = Math.floor(Date.now() / 60_000) - 2;
      const rounds = [last - 1, last].map((round) => probed({ subject, round }));
      await newcomer().publish(targetDefined({ subject, critical: false }), ...rounds);
      const { components } = await eventually(
        async () => (await (await fetch(`${newcomer().base}/api/status`)).json()) as Status,
        (status) =>
          !status.stale && status.components.some(({ id, state }) => id === subject && state === 'up'),
      );
      expect(components.find(({ id }) => id === subject)?.vantage_points).toMatchObject([{ result: 'ok' }]);
    });

    test('status shows no lag and nothing parked', async () => {
      const { code, stdout } = await newcomer().run(['status', '--json']);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ parked: 0, halted: [] });
    });
  });
}
