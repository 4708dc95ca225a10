import { modeOn } from '../support/mode.ts';
import { searchedCatalog } from './lost-index.ts';

/** The log and the documents in files, search in Meilisearch. */
searchedCatalog(modeOn('meilisearch'));
