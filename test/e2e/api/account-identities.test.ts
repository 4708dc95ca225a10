import { EMBEDDED } from '../../support/mode.ts';
import { identities } from './account-identities.ts';

identities(EMBEDDED);
