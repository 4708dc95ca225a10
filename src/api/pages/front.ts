import type { IncomingHttpHeaders } from 'node:http';

import { DEFAULT_LOCALE, type Locale, LOCALES } from '../messages/texts.ts';
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
  const [best] = weightsOf(accepted)
    .flatMap(({ name, weight }) => {
      const locale = LOCALES.find((known) => name === known || name.startsWith(`${known}-`));
      return locale !== undefined && weight > 0 ? [{ locale, weight }] : [];
    })
    .sort((a, b) => b.weight - a.weight);
  return best?.locale ?? 'en';
}

/** The elements of a list with weights (RFC 9110, section 12.4.2), in their order, without further parameters. */
function weightsOf(header: string): readonly { readonly name: string; readonly weight: number }[] {
  return header.split(',').map((element) => {
    const [name = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
    const [, weight = '1'] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameters.at(-1) ?? '') ?? [];
    return { name, weight: Number(weight) };
  });
}
