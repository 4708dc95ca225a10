import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Parts } from '../../src/compose/parts.ts';
import type { Mode } from '../support/mode.ts';
import type { Installation } from '../support/process.ts';
import { describeFirstStart } from './newcomer-first-start.ts';
import { describeMistakes } from './newcomer-mistakes.ts';
import { describePublishing } from './newcomer-publishing.ts';
import { describeRestarts } from './newcomer-restarts.ts';
import { openNewcomer, type Newcomer } from './newcomer-stage.ts';

/**
 * The whole product as a newcomer meets it: one real process, the sample, the command line from a second terminal.
 * `prepare` is what happens to the installation before.
 */
export function newcomersCatalog(
  mode: Mode,
  prepare: (catalog: Installation, parts: Parts) => Promise<void> = () => Promise.resolve(),
): void {
  describe.runIf(mode.isHere)(`a newcomer's catalog, ${mode.name}`, () => {
    let opened: Newcomer;
    beforeAll(async () => {
      opened = await openNewcomer(mode, prepare);
    });
    afterAll(() => opened[Symbol.asyncDispose]());
    const newcomer = (): Newcomer => opened;

    // Each goes on where the one before has ended.
    describeFirstStart(newcomer);

    describe('verification', () => {
      test('passes beside the running service', async () => {
        const { code, stdout } = await opened.run(['verify', '--json']);
        expect(JSON.parse(stdout)).toMatchObject({ ok: true });
        expect(code).toBe(0);
      }, 180_000);
    });

    describePublishing(newcomer);
    describeRestarts(newcomer);
    describeMistakes(newcomer);
  });
}
