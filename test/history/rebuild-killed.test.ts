import { EMBEDDED } from '../support/mode.ts';
import { sizeOf } from '../support/sizes.ts';
import { killedRebuild } from './rebuild-killed.ts';

killedRebuild(EMBEDDED, {
  entries: sizeOf('REBUILD_ENTRIES'),
  events: sizeOf('REBUILD_EVENTS'),
  kills: sizeOf('REBUILD_KILLS'),
  projectors: 1,
});
