import { modeOn } from '../../support/mode.ts';
import { identities } from './account-identities.ts';

identities(modeOn('mongodb'));
