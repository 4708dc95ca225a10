import { expect, test } from 'vitest';

import { waitUntilServed } from '../../../src/cli/wait-until-served.ts';
import { serveApi } from '../../../src/compose/api.ts';
import { ensureTopics, startProjector } from '../../../src/compose/projector.ts';
import { structuredRecord } from '../../../src/events/event-types.ts';
import { probed, targetDefined } from '../../support/events.ts';
import { faulty } from '../../support/faulty.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openParts } from '../../support/parts.ts';

/** What links begin with, where the API listens on any free port. */
async function linksOf(env: Readonly<Record<string, string>>) {
  await using stack = new AsyncDisposableStack();
  const parts = stack.use(
    await openParts({ HOST: '127.0.0.1', PORT: '0', CATALOG_DATA: temporaryFolder(), ...env }),
  );
  const api = stack.use(await serveApi(parts));
  const description = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
    readonly servers: readonly [{ readonly url: string }];
  };
  const unknown = await fetch(`${api.url}/nothing`);
  const refused = (await unknown.json()) as { readonly error: { docs: string } };
  const unparsed = await fetch(api.url, { headers: { 'x-a': 'a'.repeat(10_000) } });
  const { error } = (await unparsed.json()) as typeof refused;
  const keepAlive = unknown.headers.get('keep-alive');
  return {
    keepAlive,
    port: new URL(api.url).port,
    links: [description.servers[0].url, refused.error.docs, error.docs],
  };
}

test('where any free port was asked for, links begin with the one that was bound', async () => {
  const { port, links } = await linksOf({});
  const base = `http://localhost:${port}`;
  expect(links).toEqual([`${base}/api/v1`, `${base}/docs/ru#not_found`, `${base}/docs/ru#bad_request`]);
});

test('a public address is what links begin with, whatever port was bound', async () => {
  const { links } = await linksOf({ CATALOG_PUBLIC_URL: 'https://catalog.example/' });
  for (const link of links) expect(link).toMatch(/^https:\/\/catalog\.example\/(api|docs)\//);
});

test('an idle connection is kept for as long as the configuration says, and callers are told', async () => {
  expect((await linksOf({})).keepAlive).toBe('timeout=20');
  expect((await linksOf({ CATALOG_KEEP_ALIVE: '90' })).keepAlive).toBe('timeout=90');
});

test('what the monitor knows has been read once the API is there: it is told even where the stores fail then', async () => {
  await using stack = new AsyncDisposableStack();
  const env = { HOST: '127.0.0.1', PORT: '0', CATALOG_DATA: temporaryFolder() };
  const composed = stack.use(await openParts(env));
  await ensureTopics(composed);
  const round = Math.floor(Date.now() / 60_000) - 2;
  const events = [targetDefined({ subject: 'bot_api' }), probed({ subject: 'bot_api', round })];
  const places = await composed.log.append(events.map(structuredRecord));
  {
    await using _projector = await startProjector(composed, { acceptGaps: [] });
    await waitUntilServed(composed, places, AbortSignal.timeout(120_000));
  }
  const documents = faulty(composed.documents);
  const api = stack.use(await serveApi({ ...composed, documents }));
  documents.fault = 'down';
  const status = (await (await fetch(`${api.url}/api/status`)).json()) as {
    readonly checked_at: string | null;
  };
  expect(status.checked_at).toEqual(expect.any(String));
});
