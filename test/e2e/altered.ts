import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { compose, type Parts } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { newVersion } from '../../src/stores/documents/port.ts';
import type { SearchEntry } from '../../src/stores/search/port.ts';
import { LISTINGS } from '../support/collections.ts';
import { published } from '../support/events.ts';
import { clearAway, type Mode } from '../support/mode.ts';
import type { Installation, RunCommand } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';

/** Documents and an index that somebody changed by hand, beside a running projector: verification names them. */
export function alteredCatalog(mode: Mode): void {
  describe.runIf(mode.isHere)(`a catalog that was altered by hand, ${mode.name}`, () => {
    let catalog: Installation;
    let run: RunCommand;
    let parts: Parts;
    beforeAll(async () => {
      catalog = await mode.install({ CATALOG_SAMPLE: 'off' });
      run = commandsHere(catalog);
      parts = await compose(readConfig(catalog.env), 'test');
      await catalog.start(['project']).printed('Projecting.');
      const events = ['registers', 'view', 'lacking', 'well'].map((subject) => published({ subject }));
      const input = events.map((event) => JSON.stringify(event)).join('\n');
      expect(await run(['publish', '-', '--wait'], { input })).toMatchObject({ code: 0 });
    }, 120_000);
    afterAll(async () => {
      await clearAway(parts);
      await parts[Symbol.asyncDispose]();
      await catalog[Symbol.asyncDispose]();
    });

    test('as long as nothing was, all is well', async () => {
      expect(await verified()).toEqual({ code: 0, inDocuments: [], inIndex: [] });
    });

    test('names the documents whose registers or view were changed', async () => {
      const restore = [
        await alter('registers', ({ registers, ...rest }) => {
          const { content, ...others } = registers as Forgeable;
          const title = { ...content.value.title, ru: 'forged' };
          const forged = { ...others, content: { ...content, value: { ...content.value, title } } };
          return { ...rest, registers: forged };
        }),
        await alter('view', ({ view, ...rest }) => ({
          ...rest,
          view: { ...(view as object), username: 'forged' },
        })),
      ];
      const { code, inDocuments } = await verified();
      expect(inDocuments).toEqual([
        {
          where: 'registers',
          code: 'registers_differ',
          problem: 'its registers differ from the fold of the log',
        },
        { where: 'registers', code: 'view_differs', problem: 'its view differs from what its registers say' },
        { where: 'view', code: 'view_differs', problem: 'its view differs from what its registers say' },
      ]);
      expect(code).toBe(1);
      for (const one of restore) await one();
      expect(await verified()).toMatchObject({ inDocuments: [] });
    });

    test('names the entry that the search index should not have, and the one that it lacks', async () => {
      const tampered = async () => {
        await parts.search.put(LISTINGS, [STRAY]);
        await parts.search.remove(LISTINGS, ['lacking']);
        return await verified();
      };
      // The feeder may mend the index before verification reads it.
      let found = await tampered();
      for (let more = 4; more > 0 && found.inIndex.length < 2; more -= 1) found = await tampered();
      expect(found).toEqual({
        code: 1,
        inDocuments: [],
        inIndex: [
          { where: 'lacking', code: 'not_indexed', problem: 'not in the index: readers see it' },
          { where: 'stray', code: 'indexed_stray', problem: 'in the index, and there is no such document' },
        ],
      });
    });

    async function verified() {
      const { code, stdout } = await run(['verify', '--json']);
      const { read_models, search } = JSON.parse(stdout) as Verified;
      const findings = (all: readonly Found[]) =>
        all.flatMap((one) => one.findings).toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
      return { code, inDocuments: findings(read_models), inIndex: findings(search) };
    }

    /** Writes a document anew, past the projector; what is returned makes it what it was. */
    async function alter(slug: string, change: (body: Body) => Body): Promise<() => Promise<void>> {
      const write = async (next: (body: Body) => Body): Promise<Body> => {
        const stored = (await parts.documents.get<Body>(LISTINGS, [slug])).get(slug);
        if (!stored) throw new Error(`${slug} is not there`);
        const { version: read, body } = stored;
        const written = { id: slug, read, version: newVersion(), body: next(body) };
        expect(await parts.documents.write(LISTINGS, [written])).toEqual(['done']);
        return body;
      };
      const before = await write(change);
      return async () => void (await write(() => before));
    }
  });
}

interface Verified {
  readonly read_models: readonly Found[];
  readonly search: readonly Found[];
}

interface Found {
  readonly findings: readonly Finding[];
}

interface Finding {
  readonly where: string;
  readonly problem: string;
}

function textOf({ where, problem }: Finding): string {
  return `${where}: ${problem}`;
}

type Body = Readonly<Record<string, unknown>>;
type Forgeable = { readonly content: { readonly value: { readonly title: object } } };

const STRAY: SearchEntry = {
  id: 'stray',
  kind: 'bot',
  category: null,
  score: 0,
  exact: ['stray'],
  names: ['stray'],
  texts: [],
  transliterated: { names: ['stray'], texts: [] },
};
