import { EMBEDDED } from '../support/mode.ts';
import { walkedCode } from './walks.ts';

walkedCode(EMBEDDED, 'files');
