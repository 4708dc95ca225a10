import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { StatusReport } from '../../src/operations/status.ts';
import { COLLECTIONS } from '../support/collections.ts';
import { published } from '../support/events.ts';
import { clearAway, type Mode } from '../support/mode.ts';
import type { Installation } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';
import { openParts } from '../support/parts.ts';

/** Two deployments on one log, each with documents of its own: neither notices the other. */
export function severalDeployments(mode: Mode): void {
  describe.runIf(mode.isHere)(`two deployments on one log, ${mode.name}`, () => {
    let first: Installation;
    let second: Installation;
    const keys = new Map<Installation, string>();
    beforeAll(async () => {
      first = await mode.install({ CATALOG_SAMPLE: 'off' });
      const shared = `sqlite:${join(String(first.env['CATALOG_DATA']), 'log.db')}`;
      second = await mode.install({
        CATALOG_LOG_URL: first.env['CATALOG_LOG_URL'] ?? shared,
        CATALOG_SAMPLE: 'off',
      });
      for (const one of [first, second]) {
        const { stdout } = await commandsHere(one)(['keys', 'create', '--account', 'acme', '--json']);
        keys.set(one, (JSON.parse(stdout) as { readonly key: string }).key);
      }
    });
    afterAll(async () => {
      await using parts = await openParts(first.env);
      await clearAway(parts);
      await first[Symbol.asyncDispose]();
      await second[Symbol.asyncDispose]();
    });

    async function titleIn(one: Installation): Promise<unknown> {
      const url = `http://127.0.0.1:${one.env['PORT']}/api/v1/listings/shared?locale=en`;
      const headers = { 'x-api-key': keys.get(one) ?? '' };
      const response = await fetch(url, { headers }).catch(() => null);
      return response?.ok ? ((await response.json()) as { readonly title: unknown }).title : null;
    }

    async function publish(revision: number, title: string): Promise<void> {
      const event = published({ subject: 'shared', revision, title: { en: title } });
      const { code, stderr } = await commandsHere(first)(['publish', '-'], { input: JSON.stringify(event) });
      expect({ code, stderr }).toMatchObject({ code: 0 });
    }

    /** What nobody has consumed, and whether somebody is there to do so, by read model. */
    async function lagsOf(one: Installation): Promise<Readonly<Record<string, readonly [number, boolean]>>> {
      const { stdout } = await commandsHere(one)(['status', '--json']);
      const { read_models } = JSON.parse(stdout) as StatusReport;
      return Object.fromEntries(
        read_models.map(({ read_model, lag, projected }) => [read_model, [lag, projected]]),
      );
    }

    const CAUGHT_UP = Object.fromEntries(COLLECTIONS.map((collection) => [collection, [0, true]]));

    async function expectBothAt(title: string): Promise<void> {
      for (const one of [first, second]) {
        await expect.poll(() => titleIn(one), { timeout: 60_000, interval: 200 }).toBe(title);
        await expect.poll(() => lagsOf(one), { timeout: 60_000, interval: 1000 }).toEqual(CAUGHT_UP);
      }
    }

    test('both project everything, whoever comes first, and one that was killed goes on', async () => {
      const running = await first.started();
      await publish(1, 'One');
      await second.started();
      await expectBothAt('One');
      await publish(2, 'Two');
      await expectBothAt('Two');
      await running.stop('SIGKILL');
      await publish(3, 'Three');
      await expect.poll(() => titleIn(second), { timeout: 60_000, interval: 200 }).toBe('Three');
      await first.started();
      await expectBothAt('Three');
    }, 300_000);

    test('each has an identity, which cannot be renewed while somebody works', async () => {
      const ids = new Set<string>();
      for (const one of [first, second]) {
        const { stdout } = await commandsHere(one)(['doctor', 'identity', '--json']);
        ids.add((JSON.parse(stdout) as { readonly identity: string }).identity);
      }
      expect(ids.size).toBe(2);
      const { code, stderr } = await commandsHere(second)(['doctor', 'identity', '--renew']);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('A projector works on') });
    });
  });
}
