import { meilisearchHere } from '../../support/meilisearch-engine.ts';
import { sizeOf } from '../../support/sizes.ts';
import { searchAgreement } from './search-agreement.ts';

/** A history tells the index some dozen times, and each is a few tasks of a server: half a minute where it is busy. */
const HISTORY_MS = 180_000;
const numRuns = sizeOf('SERVICES_AGREEMENT_RUNS');

searchAgreement(meilisearchHere(), { numRuns, longestMs: numRuns * HISTORY_MS });
