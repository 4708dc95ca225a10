import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import type { Parts } from '../../src/compose/parts.ts';
import { LISTINGS } from '../support/collections.ts';
import { published } from '../support/events.ts';
import { clearAway, type Mode } from '../support/mode.ts';
import { type Installation } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';
import { forAllTests } from '../support/for-each-test.ts';
import { openParts } from '../support/parts.ts';

/** A running catalog whose index something happens to, while it is searched all the time. */
export interface Searched {
  readonly catalog: Installation;
  readonly parts: Parts;
  /** Publishes entries of these numbers, each found by "needle"; resolves once they are searchable. */
  readonly publish: (from: number, to: number) => Promise<void>;
  /**
   * Searches again and again, each time with a query of its own, until the index has everything again after `act`.
   * Returns what was answered meanwhile, each answer once.
   */
  readonly answersWhile: (act: () => Promise<void>) => Promise<readonly string[]>;
}

const EVERY_MS = 25;

export function searchedCatalog(mode: Mode, more?: (searched: () => Searched) => void): void {
  describe.runIf(mode.isHere)(`an index that is lost while it is searched, ${mode.name}`, () => {
    const searched = forAllTests(() => openSearched(mode));

    test('answers right or 503 from the first request on, and comes back by itself', async () => {
      await searched.publish(0, 20);
      for (let round = 0; round < 3; round += 1) {
        const answers = await searched.answersWhile(() => searched.parts.search.drop(LISTINGS));
        expect(answers.filter((one) => one !== '503')).toEqual(['200 total 20']);
        expect(answers).toContain('503');
      }
    }, 180_000);

    more?.(() => searched);
  });
}

async function openSearched(mode: Mode): Promise<Searched & AsyncDisposable> {
  const catalog = await mode.install({ CATALOG_SAMPLE: 'off' });
  const parts = await openParts(catalog.env);
  const { stdout } = await commandsHere(catalog)(['keys', 'create', '--account', 'acme', '--json']);
  const { key } = JSON.parse(stdout) as { readonly key: string };
  const running = await catalog.started();
  let expected = 0;

  /** Pages have sizes of their own and conditional requests are free: neither is kept from the last one, nor counted. */
  async function search(limit: number): Promise<string> {
    const url = `http://127.0.0.1:${catalog.env['PORT']}/api/v1/search?q=needle&limit=${limit}`;
    const response = await fetch(url, { headers: { 'x-api-key': key } });
    const { total } = (await response.json()) as { readonly total?: number };
    return response.ok ? `200 total ${total}` : String(response.status);
  }

  return {
    catalog,
    parts,
    publish: async (from, to) => {
      const events = Array.from({ length: to - from }, (_, at) =>
        published({ subject: `needle-${from + at}`, title: { en: `Needle ${from + at}` } }),
      );
      const input = events.map((event) => JSON.stringify(event)).join('\n');
      const { code, stderr } = await catalog.catalog(['publish', '-', '--wait'], { input });
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expected = to;
      await expect.poll(() => search(50), { timeout: 60_000, interval: 500 }).toBe(`200 total ${to}`);
    },
    answersWhile: async (act) => {
      const answers = new Set<string>();
      let [isDone, isOver, isBack] = [false, false, 0];
      const acting = pause(4 * EVERY_MS).then(async () => {
        await act();
        isDone = true;
      });
      for (let asked = 0; !isOver; asked += 1) {
        const answer = await search(1 + (asked % 49));
        answers.add(answer);
        if (isDone && answer === '503') isBack = 0;
        if (isDone && answers.has('503') && answer === `200 total ${expected}`) isBack += 1;
        // Long enough for everything that may be kept of the answers from before.
        isOver = isBack >= 20 || asked > 600;
        await pause(EVERY_MS);
      }
      await acting;
      return [...answers];
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop();
      await clearAway(parts);
      await parts[Symbol.asyncDispose]();
      await catalog[Symbol.asyncDispose]();
    },
  };
}
