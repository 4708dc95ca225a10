import { modeOn } from '../support/mode.ts';
import { alteredCatalog } from './altered.ts';

alteredCatalog(modeOn('kafka', 'mongodb', 'meilisearch'));
