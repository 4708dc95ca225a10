import { killedRebuild } from '../history/rebuild-killed.ts';
import { modeOn } from '../support/mode.ts';
import { sizeOf } from '../support/sizes.ts';

const events = sizeOf('SERVICES_EVENTS');

killedRebuild(modeOn('kafka', 'mongodb', 'meilisearch'), {
  entries: Math.ceil(events / 50),
  events,
  kills: sizeOf('REBUILD_KILLS'),
  projectors: 2,
});
