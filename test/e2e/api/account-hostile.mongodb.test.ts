import { modeOn } from '../../support/mode.ts';
import { hostileVisitors } from './account-hostile.ts';

hostileVisitors(modeOn('mongodb'));
