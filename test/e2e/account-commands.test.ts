import { EMBEDDED } from '../support/mode.ts';
import { accountCommands } from './account-commands.ts';

accountCommands(EMBEDDED);
