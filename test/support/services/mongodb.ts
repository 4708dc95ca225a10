import { MongoClient } from 'mongodb';

import { fromDocker } from './docker.ts';
import { startStandIn, STAND_IN } from './mongodb-stand-in/start.ts';
import { fromEnvironment, startFirst, type RunningService, type Service } from './service.ts';

const urlVariable = 'TEST_MONGODB_URL';
const image = 'mongo:8.0.17';

export const mongodb: Service = {
  name: 'mongodb',
  urlVariable,
  image,
  isRequired: true,
  start: () =>
    startFirst({
      [urlVariable]: fromEnvironment(urlVariable, versionOf),
      Docker: fromDocker({
        image,
        port: 27_017,
        urlOf: (host, port) => `mongodb://${host}:${port}/`,
        versionOf,
      }),
      'Java with Maven': fromStandIn,
    }),
};

async function fromStandIn(): Promise<RunningService | null> {
  const server = await startStandIn();
  if (!server) return null;
  const url = `mongodb://127.0.0.1:${server.ready[1]}/`;
  return {
    url,
    version: STAND_IN,
    from: 'stand-in',
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function versionOf(url: string): Promise<string> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 30_000 });
  try {
    const { version } = (await client.db('admin').command({ buildInfo: 1 })) as {
      readonly version?: unknown;
    };
    return String(version);
  } finally {
    await client.close();
  }
}
