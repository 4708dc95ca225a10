import { meilisearchHere } from '../../support/meilisearch-engine.ts';
import { searchPages } from './search-pages.ts';

searchPages(meilisearchHere());
