import { status as body } from '../../monitor/status-body.ts';
import { apiRoute, BASE, KEYED } from '../api-route.ts';
import { type Representation, renderJson } from '../http/response/representation.ts';
import { LOCALES } from '../../texts/texts.ts';
import { OPEN, route, type RouteContext, type RouteRequest } from '../route.ts';
import { exampleStatus } from './status-example.ts';

/** The state of the platform's monitor. It is answered always: the state is data, and an outage of ours is in it. */
export const status = apiRoute({
  ...KEYED,
  operation: 'getStatus',
  path: `${BASE}/status`,
  tag: 'monitor',
  ignoresQuery: true,
  outlivesStores: true,
  texts: {
    en: {
      summary: 'Platform status',
      description:
        'What the availability monitor knows of the platform. Always answered, in both languages: that something is down is data. The same bytes are given without a key at {publicUrl}/api/status, for at most 15 s from caches. Parameters are ignored.',
    },
    ru: {
      summary: 'Состояние платформы',
      description:
        'Что монитор доступности знает о платформе. Отвечает всегда и на двух языках: сбой платформы — тоже данные. Те же байты без ключа — по адресу {publicUrl}/api/status, из кэшей — не старше 15 с. Параметры не учитываются.',
    },
  },
  parameters: {},
  body,
  example: exampleStatus,
  carries: 'changed',
  answer: answerStatus,
});

/** The same without a key, for status pages: whatever stands in front may keep it for a while. */
export const publicStatus = route({
  ...OPEN,
  path: '/api/status',
  outlivesStores: true,
  cacheControl: 'public, max-age=15, stale-if-error=300',
  answer: answerStatus,
});

/** With a key and without one: the same bytes, which speak both languages. */
async function answerStatus(
  { status: reader, sample, responses }: Pick<RouteContext, 'status' | 'sample' | 'responses'>,
  { deadline }: Pick<RouteRequest, 'deadline'>,
): Promise<Representation> {
  const [shown, isSample] = await Promise.all([reader.current(deadline.leftMs()), sample.isServed()]);
  return responses.of('status', [shown, isSample], () =>
    renderJson(isSample ? { ...shown.body, generated: true } : shown.body, LOCALES, {
      lastModified: shown.changedAt,
    }),
  );
}
