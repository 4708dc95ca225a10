import { z } from 'zod';

import { openApiDocument } from '../openapi/document.ts';
import { language } from '../http/parameters.ts';
import { renderJson } from '../http/rendering.ts';
import { renderingKey, route } from '../route.ts';

/** The description of the API, for machines. */
export const openApi = route({
  operation: 'getOpenApi',
  path: '/openapi.json',
  needsKey: false,
  parameters: { lang: language },
  body: z.object({ openapi: z.literal('3.1.0') }),
  canBeMissing: false,
  cacheControl: 'public, max-age=300',
  async answer({ renderings, publicUrl }, { values: { lang } }) {
    return renderings.of(renderingKey('getOpenApi', lang), [publicUrl], () =>
      renderJson(openApiDocument({ locale: lang, publicUrl }), lang),
    );
  },
});
