import type { EarlierFold } from '../index.ts';
import { listings } from './projections/listings/index.ts';
import { createDecoder } from './src/events/decode.ts';
import { EVENT_TYPES } from './src/events/types.ts';

/** listings@1, as it was released. "npm run freeze" has made this folder: nothing in it is changed. */
export const listings1: EarlierFold = {
  projection: listings,
  createDecode: (options) => createDecoder(EVENT_TYPES, options),
  root: new URL('./', import.meta.url),
};
