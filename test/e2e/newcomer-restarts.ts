import { describe, expect, test } from 'vitest';

import { published } from '../support/events.ts';
import { CONTENT, eventually, type Newcomer } from './newcomer-stage.ts';

export function describeRestarts(newcomer: () => Newcomer): void {
  describe('a stop and a second start', () => {
    test('SIGTERM ends with exit code 0, and the next start shows the same key', async () => {
      expect(await newcomer().service.stop()).toBe(0);
      newcomer().service = newcomer().catalog.start();
      const banner = await newcomer().service.printed('Ctrl-C stops.');
      expect(banner).toContain(`Demo key: ${newcomer().key}`);
      expect(banner).not.toContain('sample events appended');
    });

    test('after kill -9 the next start goes on at once', async () => {
      await newcomer().service.stop('SIGKILL');
      newcomer().service = newcomer().catalog.start();
      await newcomer().service.printed('Ctrl-C stops.');
      await newcomer().publish(published({ subject: 'after-the-kill', revision: 1, ...CONTENT }));
      await eventually(
        () => newcomer().get('/listings/after-the-kill'),
        ({ status }) => status === 200,
      );
    });
  });
}
