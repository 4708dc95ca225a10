import { EMBEDDED } from '../../support/mode.ts';
import { hostileVisitors } from './account-hostile.ts';

hostileVisitors(EMBEDDED);
