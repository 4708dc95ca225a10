import { modeOn } from '../../support/mode.ts';
import { accountPages } from './account-pages.ts';

accountPages(modeOn('mongodb'));
