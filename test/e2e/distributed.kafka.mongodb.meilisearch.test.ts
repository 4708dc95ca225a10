import { modeOn } from '../support/mode.ts';
import { newcomersCatalog } from './newcomer.ts';

newcomersCatalog(modeOn('kafka', 'mongodb', 'meilisearch'));
