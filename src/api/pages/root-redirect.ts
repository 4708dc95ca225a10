import type { IncomingHttpHeaders } from 'node:http';

import { weightsOf } from '../http/response/accept-encoding.ts';
import { DEFAULT_LOCALE, type Locale, LOCALES } from '../../texts/texts.ts';
import { OPEN, type Route } from '../route.ts';

/** The address that the service prints when it starts: it leads to the front page in the reader's language. */
export const front: Route = {
  ...OPEN,
  path: '/',
  // It depends on what the browser says of itself.
  cacheControl: 'no-store',
  answer: async (_context, { headers }) => ({ redirect: languageOf(headers), vary: 'Accept-Language' }),
};

/** For whoever reads neither of ours, English. */
export function languageOf({ 'accept-language': accepted }: IncomingHttpHeaders): Locale {
  if (accepted === undefined) return DEFAULT_LOCALE;
  const [best] = [...weightsOf(accepted)]
    .flatMap(([name, weight]) => {
      const locale = LOCALES.find((known) => name === known || name.startsWith(`${known}-`));
      return locale !== undefined && weight > 0 ? [{ locale, weight }] : [];
    })
    .sort((a, b) => b.weight - a.weight);
  return best?.locale ?? 'en';
}
