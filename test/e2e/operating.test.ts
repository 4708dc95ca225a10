import { EMBEDDED } from '../support/mode.ts';
import { operatedCatalog } from './operating.ts';

operatedCatalog(EMBEDDED);
