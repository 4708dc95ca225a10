import { meilisearchHere } from '../../support/meilisearch-engine.ts';
import { searchFreshness } from './search-freshness.ts';

searchFreshness(meilisearchHere());
