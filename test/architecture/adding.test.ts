import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, test } from 'vitest';

import type * as Listings from '../../projections/listings/index.ts';
import type * as OpenApiModule from '../../src/api/openapi/document.ts';
import type * as AsyncApiModule from '../../src/events/asyncapi/document.ts';
import type * as Fold from '../../src/projecting/engine/fold.ts';
import type * as Support from '../support/api.ts';
import type * as Events from '../support/events.ts';
import { changedCopy, type ChangedCopy, type Place } from '../support/changed-copy.ts';

/**
 * What is added most often touches few files. CONTRIBUTING.md gives these very steps; the documents that commands print
 * (`npm run -s openapi`) are not counted.
 */
const MOST_FILES = 3;

const FIELD: readonly Place[] = [
  {
    file: 'src/events/entries.ts',
    at: '  verified: described(flag, {',
    text: `  motto: described(optional(text(100)), {
    en: 'What it says of itself in a line.',
    ru: 'Что она говорит о себе одной строкой.',
    example: 'Every day',
  }),
  verified: described(flag, {`,
  },
  { file: 'projections/listings/index.ts', at: /(?<=^  version: )\d+(?=,$)/m, text: '9' },
  { file: 'docs/reference/events.md', at: '`country?`, ', text: '`country?`, `motto?`, ' },
  {
    file: 'docs/reference/events.md',
    at: '    "country": "RU",\n',
    text: '    "country": "RU",\n    "motto": "Every day",\n',
  },
];

const ENDPOINT: readonly Place[] = [
  {
    file: 'src/api/routes/kinds.ts',
    text: `import { z } from 'zod';

import { KINDS } from '../../../projections/listings/document.ts';
import { described } from '../../platform/described.ts';
import { locale } from '../http/parameters.ts';
import { renderJson } from '../http/response/representation.ts';
import { apiRoute, BASE, KEYED, responseKey } from '../api-route.ts';

/** The kinds of entries. */

const body = z
  .object({
    kinds: described(z.array(z.string()), { en: 'Of entries.', ru: 'Какие бывают записи.' }),
  })
  .meta({ id: 'Kinds' });

const example = (): z.infer<typeof body> => ({ kinds: [...KINDS] });

export const kinds = apiRoute({
  ...KEYED,
  operation: 'listKinds',
  path: \`\${BASE}/kinds\`,
  tag: 'catalog',
  texts: {
    en: { summary: 'The kinds of entries', description: 'There will be more.' },
    ru: { summary: 'Виды записей', description: 'Их станет больше.' },
  },
  parameters: { locale },
  body,
  example,
  answer: async ({ responses }, { values }) =>
    responses.of(responseKey('listKinds', values.locale), [], () => renderJson(example(), values.locale)),
});
`,
  },
  {
    file: 'src/api/routes.ts',
    at: "import { listing } from './routes/listing.ts';",
    text: "import { kinds } from './routes/kinds.ts';\nimport { listing } from './routes/listing.ts';",
  },
  { file: 'src/api/routes.ts', at: /(?=\];)/, text: ', kinds' },
];

describe('a field of an entry', () => {
  const copy = changedCopy([]);
  beforeAll(async () => {
    await copy.freeze('listings');
    copy.change(FIELD);
  });

  test(`touches at most ${MOST_FILES} files`, () => {
    expect(new Set(FIELD.map(({ file }) => file)).size).toBeLessThanOrEqual(MOST_FILES);
  });

  test('is described to publishers, and so is it to readers, in both languages', async () => {
    const { EntryPublishedV1 } = await schemasOfEvents(copy);
    expect(EntryPublishedV1?.properties['motto']).toMatchObject({
      description: 'What it says of itself in a line.',
      default: null,
    });
    const [ru, en] = [await openApi(copy, 'ru'), await openApi(copy, 'en')];
    for (const name of ['ChannelListing', 'BotListing', 'MiniappListing']) {
      const form = { type: ['string', 'null'] };
      const described = { ...form, description: 'What it says of itself in a line.' };
      expect(en.components.schemas[name]?.properties['motto']).toEqual(described);
      expect(ru.components.schemas[name]?.properties['motto']).toEqual({
        ...form,
        description: 'Что она говорит о себе одной строкой.',
      });
      expect(en.components.schemas[name]?.required).toContain('motto');
    }
    expect(JSON.stringify(en.paths['/listings/{slug}'])).toContain('"motto":"Every day"');
  });

  test('stands in the document and in the answer, null where upstream does not say it', async () => {
    const { decoded, published } = await copy.load<typeof Events>('test/support/events.ts');
    const { foldDocument } = await copy.load<typeof Fold>('src/projecting/engine/fold.ts');
    const { listings } = await copy.load<typeof Listings>('projections/listings/index.ts');
    const said = published({ motto: 'Каждый день' });
    const { registers } = foldDocument(listings, 'ai-news', listings.registers.empty, [decoded(said)]);
    expect(listings.view('ai-news', registers)).toMatchObject({ published: true, motto: 'Каждый день' });

    const { runApi } = await copy.load<typeof Support>('test/support/api.ts');
    await using api = await runApi();
    await api.project(said, published({ subject: 'silent' }));
    // Held to the OpenAPI document of the copy, too.
    expect((await api.get('/listings/ai-news')).body).toMatchObject({ motto: 'Каждый день' });
    expect((await api.get('/listings/silent')).body).toMatchObject({ motto: null });
  });

  test('is in the example of the page for publishers', async () => {
    const [, example = ''] = /^```json\n(.+?)^```/ms.exec(copy.read('docs/reference/events.md')) ?? [];
    const { components } = await asyncApi(copy);
    expect(components.messages['EntryPublishedV1']?.examples[0]?.payload).toEqual(JSON.parse(example));
  });
});

describe('an endpoint', () => {
  const copy = changedCopy(ENDPOINT);

  test(`touches at most ${MOST_FILES} files`, () => {
    expect(new Set(ENDPOINT.map(({ file }) => file)).size).toBeLessThanOrEqual(MOST_FILES);
  });

  test('is described in both languages', async () => {
    const [ru, en] = [await openApi(copy, 'ru'), await openApi(copy, 'en')];
    expect(en.paths['/kinds']?.get.summary).toBe('The kinds of entries');
    expect(ru.paths['/kinds']?.get.summary).toBe('Виды записей');
    expect(JSON.stringify(en.paths['/kinds'])).toContain('"value":{"kinds":["channel","bot","miniapp"]}');
    expect(ru.components.schemas['Kinds']?.properties['kinds']).toMatchObject({
      description: 'Какие бывают записи.',
    });
  });

  test('answers, and is in the list of addresses on the developer page', async () => {
    const { runApi } = await copy.load<typeof Support>('test/support/api.ts');
    await using api = await runApi();
    expect((await api.get('/kinds?locale=en')).body).toEqual({ kinds: ['channel', 'bot', 'miniapp'] });
    expect((await api.get('/kinds?local=en')).status).toBe(400);
    const page = await (await fetch(`${api.url}/docs/ru`)).text();
    expect(page).toContain('Виды записей');
  });
});

test('the compiler asks for no more', async () => {
  const { folder, freeze, change } = changedCopy([]);
  await freeze('listings');
  change([...FIELD, ...ENDPOINT]);
  // A fold that is kept goes on fitting the engine.
  const include = ['src/api', 'src/events', 'projections', 'earlier'];
  const config = { extends: './tsconfig.json', include };
  writeFileSync(join(folder, 'sources.json'), JSON.stringify(config));
  const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc');
  // Each further checker computes the same types once more.
  const args = ['--noEmit', '--checkers', '1', '-p', 'sources.json'];
  const compiled = promisify(execFile)(tsc, args, { cwd: folder });
  // What it has to say of the sources is on its standard output.
  const said = await compiled.catch((thrown: unknown) => thrown as { readonly stdout: string });
  expect(said.stdout).toBe('');
});

interface Schema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}
type Schemas = Readonly<Record<string, Schema>>;

interface OpenApi {
  readonly components: { readonly schemas: Schemas };
  readonly paths: Readonly<Record<string, { readonly get: { readonly summary: string } }>>;
}

async function openApi(copy: ChangedCopy, locale: 'ru' | 'en'): Promise<OpenApi> {
  const { openApiDocument } = await copy.load<typeof OpenApiModule>('src/api/openapi/document.ts');
  return openApiDocument({ locale, publicUrl: 'http://localhost' }) as unknown as OpenApi;
}

interface AsyncApi {
  readonly components: {
    readonly schemas: Schemas;
    readonly messages: Readonly<
      Record<string, { readonly examples: readonly { readonly payload: unknown }[] }>
    >;
  };
}

async function asyncApi(copy: ChangedCopy): Promise<AsyncApi> {
  const { asyncApiDocument } = await copy.load<typeof AsyncApiModule>('src/events/asyncapi/document.ts');
  return asyncApiDocument({ topicPrefix: '' }) as unknown as AsyncApi;
}

async function schemasOfEvents(copy: ChangedCopy): Promise<Schemas> {
  return (await asyncApi(copy)).components.schemas;
}
