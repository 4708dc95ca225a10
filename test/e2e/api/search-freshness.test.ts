import { SQLITE_SEARCH } from '../../support/search-engine.ts';
import { searchFreshness } from './search-freshness.ts';

searchFreshness(SQLITE_SEARCH);
