import { modeOn } from '../support/mode.ts';
import { walkedCode } from './walks.ts';

walkedCode(modeOn('kafka', 'mongodb', 'meilisearch'), 'services');
