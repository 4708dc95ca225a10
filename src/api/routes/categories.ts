import { locale } from '../http/parameters.ts';
import { presentCategories } from '../presenting.ts';
import { renderJson } from '../http/rendering.ts';
import { KEYED_CACHE_CONTROL, renderingKey, route } from '../route.ts';
import { categories as body } from '../schemas.ts';

/** The trees of categories, one for each kind, with how many entries stand in them. */
export const categories = route({
  operation: 'listCategories',
  path: '/api/v1/categories',
  needsKey: true,
  parameters: { locale },
  body,
  canBeMissing: false,
  cacheControl: KEYED_CACHE_CONTROL,
  async answer({ reading, renderings }, { values: { locale: language } }) {
    const { collection } = await reading.live('listings');
    const [taxonomy, counts] = await Promise.all([reading.taxonomy(), reading.counts(collection).current()]);
    return renderings.of(renderingKey('listCategories', language), [taxonomy.digest, counts], () =>
      renderJson(presentCategories(taxonomy, counts, language), language),
    );
  },
});
