import { EMBEDDED } from '../../support/mode.ts';
import { accountPages } from './account-pages.ts';

accountPages(EMBEDDED);
