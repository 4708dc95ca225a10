import { status as body, type Status } from '../../monitor/status-schema.ts';
import { apiRoute, BASE, KEYED } from '../api-route-contract.ts';
import { type Representation, renderJson } from '../http/response/representation.ts';
import { LOCALES } from '../../texts/texts.ts';
import { OPEN, route, type RouteContext, type RouteRequest } from '../route.ts';
import type { HourView } from '../../../projections/monitor/document.ts';
import type { TargetData } from '../../monitor/target-history.ts';
import { DEFAULT_POLICY } from '../../monitor/policy.ts';
import { statusOf } from '../../monitor/status.ts';

/** The state of the platform's monitor. It is answered always: the state is data, and an outage of ours is in it. */
export const status = apiRoute({
  ...KEYED,
  operation: 'getStatus',
  path: `${BASE}/status`,
  tag: 'monitor',
  texts: {
    en: {
      summary: 'Platform status',
      description:
        'What the availability monitor knows of the platform. Always answered, in both languages: that something is down is data. The same bytes are given without a key at {publicUrl}/api/status, for at most 15 s from caches. Parameters are ignored, but a key in the address is refused.',
    },
    ru: {
      summary: 'Состояние платформы',
      description:
        'Что монитор доступности знает о платформе. Отвечает всегда и на двух языках: сбой платформы — тоже данные. Те же байты без ключа — по адресу {publicUrl}/api/status, из кэшей — не старше 15 с. Параметры не учитываются, но ключ в адресе отклоняется.',
    },
  },
  ignoresQuery: true,
  outlivesStores: true,
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

/** The body of a status: two services over a quarter of an hour, one of which has stopped answering and come back. */
function exampleStatus(): Status {
  const now = (FIRST + ROUNDS) * MINUTE + DEFAULT_POLICY.settle_s * 1000;
  const reading = { lagMs: 0, readAt: now, storesDown: false };
  const bot = watched('bot_api', { ru: 'Bot API', en: 'Bot API' }, true, []);
  const client = watched('client', { ru: 'Клиентский API', en: 'Client API' }, false, [6, 7, 8]);
  return statusOf([bot, client], now, DEFAULT_POLICY, reading);
}

const MINUTE = 60_000;

/** The beginning of an hour. */
const FIRST = Date.parse('2026-02-01T03:00:00Z') / MINUTE;
const ROUNDS = 15;

/** Of about 120 ms. */
const LATENCY_BUCKET = 126;

function watched(
  target: string,
  name: { readonly ru: string; readonly en: string },
  critical: boolean,
  failing: readonly number[],
): TargetData {
  const rounds: HourView['rounds'] = Array.from({ length: ROUNDS }, (_, index) => {
    const isFailing = failing.includes(index);
    const at = (FIRST + index) * MINUTE + 7_000;
    const check = isFailing
      ? { point: 'eu-1', result: 'fail' as const, at, cause: 'timeout', latency: null }
      : { point: 'eu-1', result: 'ok' as const, at, cause: null, latency: LATENCY_BUCKET };
    return { round: FIRST + index, checks: [check] };
  });
  return {
    target: { kind: 'target', target, defined: true, since: 0, name, critical, slow_ms: 2000 },
    summaries: [],
    hours: [{ kind: 'hour', target, hour: FIRST / 60, rounds }],
  };
}
