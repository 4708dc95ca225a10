import { z } from 'zod';

import { checkResult } from '../../projections/monitor/document.ts';
import { described, named } from '../platform/described.ts';
import { SEVERITIES, state } from './machine-state.ts';
import { INDICATORS } from './overall.ts';
import { policy } from './policy.ts';

/**
 * The body of a status answer. Instants are RFC 3339 in UTC, without milliseconds where they are zero. Each `id` is the
 * name under which the description of the API shows the part.
 */

const instant = z.string().meta({ format: 'date-time' });
const count = z.int().nonnegative();
const texts = z.object({ ru: z.string(), en: z.string() }).meta({ id: 'BothLanguages' });

const uptimeWindow = z
  .object({
    /** Two decimals, a half rounded up. */
    pct: described(z.number().min(0).max(100).nullable(), {
      en: 'Per cent of the known time that was up or degraded; null where nothing is known.',
      ru: 'Доля известного времени в up или degraded, в процентах; null, если ничего не известно.',
    }),
    /** Two decimals. */
    coverage: described(z.number().min(0).max(1), {
      en: 'The known part of the window, 0 to 1.',
      ru: 'Известная часть окна, от 0 до 1.',
    }),
  })
  .meta({ id: 'UptimeWindow' });
export type UptimeWindow = z.infer<typeof uptimeWindow>;
const uptime = z
  .object({ '24h': uptimeWindow, '7d': uptimeWindow, '30d': uptimeWindow, '90d': uptimeWindow })
  .meta({ id: 'Uptime' });

const milliseconds = z.number().nonnegative().nullable();
const percentiles = z
  .object({
    p50: described(milliseconds, {
      en: 'Milliseconds, at most 2.5 % off; null where nothing was measured.',
      ru: 'Миллисекунды, с погрешностью не больше 2,5 %; null, если измерений не было.',
    }),
    p95: milliseconds,
    p99: milliseconds,
  })
  .meta({ id: 'Percentiles' });
export type Percentiles = z.infer<typeof percentiles>;
const latency = z.object({ '1h': percentiles, '24h': percentiles }).meta({ id: 'Latency' });

const vantagePoint = z
  .object({ id: z.string(), result: checkResult, checked_at: instant })
  .meta({ id: 'VantagePoint' });
export type VantagePoint = z.infer<typeof vantagePoint>;

const component = z
  .object({
    id: z.string(),
    name: texts,
    critical: described(z.boolean(), {
      en: 'Whether the platform is down without it.',
      ru: 'Считается ли платформа неработающей без неё.',
    }),
    slow_ms: described(count, {
      en: 'From how many milliseconds on the prober calls an answer slow.',
      ru: 'С какой задержки в миллисекундах проверяющий называет ответ медленным.',
    }),
    state,
    since: instant.nullable(),
    checked_at: instant.nullable(),
    latency_ms: latency,
    uptime,
    vantage_points: described(z.array(vantagePoint), {
      en: 'Where it was checked from in the last 24 hours, each with its newest result.',
      ru: 'Откуда её проверяли за последние 24 часа, с последним результатом каждой точки.',
    }),
  })
  .meta({ id: 'MonitorComponent' });
export type Component = z.infer<typeof component>;

const shownIncident = z
  .object({
    id: z.string(),
    state: z.enum(['open', 'resolved']),
    severity: described(z.enum(SEVERITIES), {
      en: 'The worst state reached.',
      ru: 'Худшее состояние за это время.',
    }),
    components: described(z.array(z.string()), {
      en: 'The ids of those concerned.',
      ru: 'Идентификаторы затронутых служб.',
    }),
    cause: described(z.string().nullable(), {
      en: 'The most frequent cause of the failed checks that opened it; null where none was told.',
      ru: 'Самая частая причина в неудачных проверках, с которых всё началось; null, если её не сообщили.',
    }),
    started_at: described(instant, {
      en: 'The first check that was not ok.',
      ru: 'Первая неудачная или медленная проверка.',
    }),
    detected_at: described(instant, {
      en: 'When the state changed.',
      ru: 'Когда изменилось состояние.',
    }),
    resolved_at: described(instant.nullable(), {
      en: 'The first good check of the recovery; null while it is open.',
      ru: 'Первая удачная проверка при восстановлении; null, пока инцидент открыт.',
    }),
    duration_s: described(count.nullable(), {
      en: 'From the start to the resolution; null while it is open.',
      ru: 'Секунды от начала до восстановления; null, пока инцидент открыт.',
    }),
  })
  .meta({ id: 'Incident' });
export type ShownIncident = z.infer<typeof shownIncident>;

export const status = z
  .object({
    state: described(state, {
      en: 'Of the whole platform: up, degraded, down or unknown.',
      ru: 'Состояние всей платформы: up — работает, degraded — с перебоями, down — не работает, unknown — неизвестно.',
    }),
    indicator: described(z.enum(INDICATORS).nullable(), {
      en: 'How bad it is: none, minor, major or critical; null while the state is unknown.',
      ru: 'Насколько всё серьёзно: none, minor, major или critical; null, пока состояние неизвестно.',
    }),
    flapping: described(z.boolean(), {
      en: 'Whether a component changes so often that it is held at degraded.',
      ru: 'Меняется ли состояние какой-то службы так часто, что она удерживается в degraded.',
    }),
    stale: described(z.boolean(), {
      en: 'Whether this may be behind: checks are old, or our own stores or projection are. The rest is as it was last known.',
      ru: 'Могут ли данные отставать: проверки давние, или подводят наши хранилища либо обработка. Остальное — последнее известное.',
    }),
    since: described(instant.nullable(), {
      en: 'When the state began; null without checks.',
      ru: 'С каких пор состояние такое; null, если проверок не было.',
    }),
    checked_at: described(instant.nullable(), {
      en: 'The newest check that counts; null without checks.',
      ru: 'Самая свежая учтённая проверка; null, если проверок не было.',
    }),
    interval_s: described(z.int(), {
      en: 'The length of a round of checks.',
      ru: 'Длина раунда проверок в секундах.',
    }),
    text: described(named(texts), {
      en: 'The state in a sentence, for people.',
      ru: 'Состояние одной-двумя фразами, для людей.',
    }),
    uptime,
    latency_ms: latency,
    components: described(z.array(component), {
      en: 'What is watched, by id.',
      ru: 'За чем следит монитор, по id.',
    }),
    incidents: described(z.array(shownIncident), {
      en: 'The last 10: open ones first, then the newest.',
      ru: 'Последние 10: сначала открытые, затем самые новые.',
    }),
    policy: described(named(policy), {
      en: 'The numbers of the rules.',
      ru: 'Числа, заданные в правилах.',
    }),
  })
  .meta({ id: 'Status' });
export type Status = z.infer<typeof status>;

/** An instant as it is shown. */
export function shownInstant(unixMs: number): string {
  return new Date(unixMs).toISOString().replace('.000Z', 'Z');
}
