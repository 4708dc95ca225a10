import { EMBEDDED } from '../support/mode.ts';
import { rollingReleases } from './rolling.ts';

rollingReleases(EMBEDDED, { events: 0 });
