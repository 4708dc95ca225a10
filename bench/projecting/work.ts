import type { Parts } from '../../src/compose/parts.ts';
import type { Measured } from './messages.ts';

/** Prepares the work; what it resolves with does it, and is measured: as a whole, where it does not say itself what it took. */
export type Work = (parts: Parts) => Promise<() => Promise<Done>>;

type Done = Pick<Measured, 'events' | 'documents'> & Partial<Pick<Measured, 'tookMs' | 'cpuMs'>>;
