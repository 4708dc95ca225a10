import { readConfig, type Config } from '../config.ts';
import { compose, type Parts } from '../compose/parts.ts';
import type { Access } from '../platform/sqlite/opening.ts';
import { stopSignal } from '../platform/lifecycle.ts';
import { note } from './output.ts';

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

/** Reads the environment, and says what of it nobody reads. */
export function readSettings(): Config {
  const config = readConfig(process.env);
  const { unknownVariables: unknown } = config;
  if (unknown.length > 0) {
    const isOne = unknown.length === 1;
    note(
      `catalog: ${unknown.join(', ')} ${isOne ? 'is no variable of ours, and has' : 'are no variables of ours, and have'} no effect.`,
    );
  }
  return config;
}

/** What a command may do. `try`: it asks for what it would need to make a change, and makes none. */
export type Permission = Access | 'try';

/**
 * Reads the environment, builds the parts, runs the work, and closes whatever it opened. Only what is told to `create`
 * makes files, folders or topics; a command that only looks opens everything to `read`.
 */
export async function withParts(
  name: string,
  permission: Permission,
  work: (work: Work) => Promise<void>,
): Promise<void> {
  const config = readSettings();
  using signal = stopSignal();
  await using parts = await compose(config, name, {}, permission === 'try' ? 'change' : permission);
  await work({ config, parts, signal });
}
