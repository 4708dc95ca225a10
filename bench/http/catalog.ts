import { join } from 'node:path';

import { fillCatalog } from '../catalog.ts';
import type { Entry } from '../filling.ts';
import type { Stores } from '../stores.ts';
import { type Measured, startMeasured } from './measured.ts';

/** The API as it is shipped over a small catalog, in a process that is measured. */
export interface MeasuredApi extends Measured {
  /** Those that are published. */
  readonly entries: readonly Entry[];
  /** Of the same. */
  readonly slugs: readonly string[];
  /** With the stores that it reads. */
  readonly env: Readonly<Record<string, string>>;
}

export interface MeasuredApiOptions {
  readonly stores: Stores;
  readonly entries?: number;
  readonly events?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly say: (what: string) => void;
}

export async function startApi(options: MeasuredApiOptions): Promise<MeasuredApi> {
  const { stores, entries: count = 300, events = 3000, env = {}, say } = options;
  await using opening = new AsyncDisposableStack();
  const stage = opening.use(await stores.install());
  const entries = await fillCatalog(stage, { entries: count, events, say });
  const measured = opening.use(
    await startMeasured('http/ours.ts', {
      env: { ...stage.env, LOG_LEVEL: 'info', ...env },
      log: join(stage.installation.folder, 'access.log'),
    }),
  );
  const open = opening.move();
  return {
    ...measured,
    entries,
    slugs: entries.map(({ slug }) => slug),
    env: stage.env,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
