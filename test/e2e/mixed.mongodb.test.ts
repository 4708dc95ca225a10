import { modeOn } from '../support/mode.ts';
import { newcomersCatalog } from './newcomer.ts';

/** The log and search in files, the documents in MongoDB. */
newcomersCatalog(modeOn('mongodb'));
