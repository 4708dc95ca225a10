import { modeOn } from '../support/mode.ts';
import { operatedCatalog } from './operating.ts';

operatedCatalog(modeOn('kafka', 'mongodb', 'meilisearch'));
