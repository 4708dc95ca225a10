import type { TestProject } from 'vitest/node';

import { asksFor } from '../support/services/files.ts';
import { kafka } from '../support/services/kafka.ts';
import { meilisearch } from '../support/services/meilisearch.ts';
import { mongodb } from '../support/services/mongodb.ts';
import { NotHere, type RunningService, type Service } from '../support/services/service.ts';

/** Every service that a test may ask for. */
const SERVICES: readonly Service[] = [kafka, mongodb, meilisearch];

/** What the tests are told of each service: where it is, or why it is not. */
export type Provided =
  | (Pick<RunningService, 'url' | 'version' | 'from'> & { readonly reason?: undefined })
  | { readonly url: null; readonly reason: string };

declare module 'vitest' {
  interface ProvidedContext {
    services: Readonly<Record<string, Provided>>;
  }
}

/** Starts what the test files of this run ask for, once, and says at the end what was really run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = new AsyncDisposableStack();
  const files = project.vitest.state.getPaths();
  const provided: Record<string, Provided> = {};
  let isLacking = false;
  for (const service of SERVICES) {
    const isAsked = files.some((file) => asksFor(file, service.name));
    const one = isAsked ? await start(service, started) : NOT_ASKED;
    provided[service.name] = one;
    isLacking ||= isAsked && one.url === null && service.isRequired;
  }
  project.provide('services', provided);
  return async () => {
    await started.disposeAsync();
    process.stdout.write(`\n Services\n${tableOf(provided)}\n`);
    if (isLacking && process.env['CI'] !== undefined) process.exitCode = 1;
  };
}

const NOT_ASKED: Provided = { url: null, reason: 'no test file asked for it' };

async function start(service: Service, started: AsyncDisposableStack): Promise<Provided> {
  try {
    const { url, version, from } = started.use(await service.start());
    return { url, version, from };
  } catch (thrown) {
    return notStarted(service, thrown);
  }
}

/** Only what is not here may be missing. What is here and fails ends the run. */
function notStarted({ name }: Service, thrown: unknown): Provided {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof NotHere) return { url: null, reason };
  // Not passed on as it is: a driver's error can hold more than a terminal can show.
  throw new Error(`${name} does not start: ${reason}`);
}

function tableOf(provided: Readonly<Record<string, Provided>>): string {
  const rows = Object.entries(provided).map(([name, one]) => {
    const what = one.url === null ? `NOT RUN  (${one.reason})` : `${one.from.padEnd(13)}${one.version}`;
    return `   ${name.padEnd(13)}${what}`;
  });
  return rows.join('\n');
}
