import { modeOn } from '../support/mode.ts';
import { newcomersCatalog } from './newcomer.ts';

/** Documents and search in files, the log in Kafka. */
newcomersCatalog(modeOn('kafka'));
