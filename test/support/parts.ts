import { compose, type Overrides, type Parts } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/platform/logger.ts';

/** The parts of an installation in this process; they log nothing. */
export async function openParts(
  env: Readonly<Record<string, string>>,
  overrides: Overrides = {},
  access?: Parts['access'],
): Promise<Parts> {
  const logger = createLogger('silent', 'test');
  return await compose(readConfig(env), 'test', { logger, ...overrides }, access);
}
