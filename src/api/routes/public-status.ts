import { route } from '../route.ts';
import { status as body } from '../schemas.ts';
import { answerStatus } from './status.ts';

/** The monitor's state without a key, for status pages: whatever stands in front may keep it for a while. */
export const publicStatus = route({
  operation: 'getPublicStatus',
  path: '/api/status',
  needsKey: false,
  parameters: {},
  ignoresQuery: true,
  outlivesStores: true,
  body,
  canBeMissing: false,
  cacheControl: 'public, max-age=15, stale-if-error=300',
  answer: answerStatus,
});
