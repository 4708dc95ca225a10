import { modeOn } from '../support/mode.ts';
import { sizeOf } from '../support/sizes.ts';
import { rollingReleases } from './rolling.ts';

/** Processes of real releases on three brokers: what takes them is the number of events. */
rollingReleases(modeOn('kafka', 'mongodb', 'meilisearch'), { events: sizeOf('SERVICES_EVENTS') });
