import { createLogger } from '../../src/platform/logger.ts';

/** Says nothing, and so needs no name of a worker. */
export const LOGGER = createLogger('silent', 'simulation');
