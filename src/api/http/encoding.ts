import { createBoundedMap } from '../reading/bounded-map.ts';
import type { Encoding } from './rendering.ts';

/** The encoding for a caller's `Accept-Encoding`: br before gzip before none. `accepts` asks Express. */
export type ChooseEncoding = (
  header: string | undefined,
  accepts: (encoding: Encoding) => boolean,
) => Encoding | null;

/** Callers send a handful of different headers, so the choice for each is remembered. */
const REMEMBERED = 200;

export function createEncodingChoice(): ChooseEncoding {
  const chosen = createBoundedMap<Encoding | null>(REMEMBERED);
  return (header, accepts) => {
    if (header === undefined) return null;
    const known = chosen.get(header);
    if (known !== undefined) return known;
    const encoding = accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : null;
    chosen.set(header, encoding, 1);
    return encoding;
  };
}
