import { modeOn } from '../support/mode.ts';
import { accountCommands } from './account-commands.ts';

accountCommands(modeOn('mongodb'));
