import { REJECTION_CODES } from '../../../events/rejection.ts';
import { choice, moment, textOption } from '../../options.ts';

/** The options that select parked events. */
export const SELECTING = {
  topic: textOption('<topic>', 'of one topic alone'),
  code: choice('<code>', 'refused for one reason alone', Object.keys(REJECTION_CODES)),
  source: textOption('<source>', 'of one publisher alone, as its events name it'),
  since: moment('<when>', 'parked since: how long ago (30m, 12h, 7d), or an RFC 3339 date-time'),
};
