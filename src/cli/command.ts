import { readConfig, type Config } from '../config.ts';
import { compose, type Parts } from '../compose/parts.ts';
import { stopSignal } from '../platform/lifecycle.ts';

/** What a command did: 0 all is well, 1 it failed, 2 it was called wrongly. */
export type ExitCode = 0 | 1 | 2;

/** How a command reports what it did, where that is not 0. */
export type Finish = (code: ExitCode) => void;

/** What a command works with. */
export interface Work {
  readonly config: Config;
  readonly parts: Parts;
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** Reads the environment, builds the parts, runs the work, and closes whatever it opened. */
export async function withParts(name: string, work: (work: Work) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  using signal = stopSignal();
  await using parts = compose(config, name);
  await work({ config, parts, signal });
}
