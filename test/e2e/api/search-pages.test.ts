import { SQLITE_SEARCH } from '../../support/search-engine.ts';
import { searchPages } from './search-pages.ts';

searchPages(SQLITE_SEARCH);
