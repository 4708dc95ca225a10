import { Meilisearch } from 'meilisearch';

import { fromDocker } from './docker.ts';
import { startStandIn, STAND_IN } from './meilisearch-stand-in/start.ts';
import { fromEnvironment, startFirst, type RunningService, type Service } from './service.ts';

const urlVariable = 'TEST_MEILISEARCH_URL';
const image = 'getmeili/meilisearch:v1.50.0';

/** The key of a server that asks for one: `TEST_MEILISEARCH_KEY`. */
export function testKey(): string | null {
  return process.env['TEST_MEILISEARCH_KEY'] ?? null;
}

export const meilisearch: Service = {
  name: 'meilisearch',
  urlVariable,
  image,
  isRequired: false,
  start: () =>
    startFirst({
      [urlVariable]: fromEnvironment(urlVariable, versionOf),
      Docker: fromDocker({
        image,
        port: 7700,
        environment: { MEILI_NO_ANALYTICS: 'true' },
        urlOf: (host, port) => `http://${host}:${port}`,
        versionOf,
      }),
      'a stand-in': fromStandIn,
    }),
};

async function fromStandIn(): Promise<RunningService> {
  const standIn = await startStandIn();
  return {
    url: standIn.url,
    version: STAND_IN,
    from: 'stand-in',
    [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
  };
}

async function versionOf(url: string): Promise<string> {
  const client = new Meilisearch({ host: url, apiKey: testKey() ?? '' });
  return (await client.getVersion()).pkgVersion;
}
