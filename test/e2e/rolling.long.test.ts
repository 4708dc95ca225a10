import { EMBEDDED } from '../support/mode.ts';
import { sizeOf } from '../support/sizes.ts';
import { rollingReleases } from './rolling.ts';

rollingReleases(EMBEDDED, { events: sizeOf('ROLLING_EVENTS') });
