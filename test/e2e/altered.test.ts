import { EMBEDDED } from '../support/mode.ts';
import { alteredCatalog } from './altered.ts';

alteredCatalog(EMBEDDED);
