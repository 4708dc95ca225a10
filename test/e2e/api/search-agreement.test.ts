import { SQLITE_SEARCH } from '../../support/search-engine.ts';
import { sizeOf } from '../../support/sizes.ts';
import { searchAgreement } from './search-agreement.ts';

searchAgreement(SQLITE_SEARCH, { numRuns: sizeOf('AGREEMENT_RUNS') });
