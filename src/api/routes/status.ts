import { LOCALES } from '../messages/texts.ts';
import { renderJson, type Rendering } from '../http/rendering.ts';
import { KEYED_CACHE_CONTROL, route, type RouteContext, type RouteRequest } from '../route.ts';
import { status as body } from '../schemas.ts';

/** The state of the platform's monitor. It is answered always: the state is data, and an outage of ours is in it. */
export const status = route({
  operation: 'getStatus',
  path: '/api/v1/status',
  needsKey: true,
  parameters: {},
  ignoresQuery: true,
  outlivesStores: true,
  body,
  canBeMissing: false,
  cacheControl: KEYED_CACHE_CONTROL,
  answer: answerStatus,
});

/** With a key and without one: the same bytes, which speak both languages. */
export async function answerStatus(
  { status: reader, renderings }: Pick<RouteContext, 'status' | 'renderings'>,
  { deadline }: Pick<RouteRequest, 'deadline'>,
): Promise<Rendering> {
  const shown = await reader.current(deadline.leftMs());
  return renderings.of('status', [shown], () => renderJson(shown.body, LOCALES, shown.changedAt));
}
