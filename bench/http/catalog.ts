import { join } from 'node:path';

import { fillCatalog } from '../catalog.ts';
import { install } from '../../test/support/process.ts';
import { type Measured, startMeasured } from './measured.ts';

/** The API as it is shipped over a small catalog, in a process that is measured. */
export interface MeasuredApi extends Measured {
  /** Of published entries. */
  readonly slugs: readonly string[];
  readonly folder: string;
}

export interface MeasuredApiOptions {
  readonly entries?: number;
  readonly events?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly say: (what: string) => void;
}

export async function startApi(options: MeasuredApiOptions): Promise<MeasuredApi> {
  const { entries = 300, events = 3000, env = {}, say } = options;
  await using opening = new AsyncDisposableStack();
  const installation = opening.use(await install({ CATALOG_SAMPLE: 'off' }));
  const filled = await fillCatalog(installation, { entries, events, say });
  const measured = opening.use(
    await startMeasured('ours.ts', {
      env: { ...installation.env, LOG_LEVEL: 'info', ...env },
      log: join(installation.folder, 'access.log'),
    }),
  );
  const open = opening.move();
  return {
    ...measured,
    slugs: filled.map(({ slug }) => slug),
    folder: installation.folder,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
