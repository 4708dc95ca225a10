import type { Parts } from '../../src/compose/parts.ts';
import type { Measured } from './messages.ts';

/** Prepares the work; what it resolves with does it, and is measured. */
export type Work = (parts: Parts) => Promise<() => Promise<Pick<Measured, 'events'>>>;
