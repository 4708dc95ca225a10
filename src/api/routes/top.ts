import { category, kind, locale, wholeNumber } from '../http/parameters.ts';
import { presentTop } from '../presenting.ts';
import { renderJson } from '../http/rendering.ts';
import { KEYED_CACHE_CONTROL, renderingKey, route, versionsOf } from '../route.ts';
import { top as body } from '../schemas.ts';
import { readTop } from '../reading/top.ts';

/** Entries by catalog score, the best first. */
export const top = route({
  operation: 'getTop',
  path: '/api/v1/top',
  needsKey: true,
  parameters: { locale, kind, category, limit: wholeNumber({ max: 100, otherwise: 20 }) },
  body,
  canBeMissing: false,
  cacheControl: KEYED_CACHE_CONTROL,
  async answer({ reading, renderings }, { values }) {
    const { locale: language, limit } = values;
    const filter = { kind: values.kind ?? null, category: values.category ?? null, limit };
    const { entries, total, taxonomy } = await readTop(reading, filter);
    const key = renderingKey('getTop', language, filter.kind, filter.category, limit);
    return renderings.of(key, [taxonomy.digest, total, ...versionsOf(entries)], () =>
      renderJson(presentTop({ entries, total, filter }, language, taxonomy), language),
    );
  },
});
