import { z } from 'zod';

import { withTexts, named } from '../platform/schema-field-texts.ts';
import { component, instant, latency, texts, uptime, count } from './component-schema.ts';
import { state, SEVERITIES } from './machine-state.ts';
import { INDICATORS } from './overall.ts';
import { policy } from './policy.ts';

export const shownIncident = z
  .object({
    id: z.string(),
    state: z.enum(['open', 'resolved']),
    severity: withTexts(z.enum(SEVERITIES), {
      en: 'The worst state reached.',
      ru: 'Худшее состояние за это время.',
    }),
    components: withTexts(z.array(z.string()), {
      en: 'The ids of those concerned.',
      ru: 'Идентификаторы затронутых служб.',
    }),
    cause: withTexts(z.string().nullable(), {
      en: 'The most frequent cause of the failed checks that opened it; null where none was told.',
      ru: 'Самая частая причина в неудачных проверках, с которых всё началось; null, если её не сообщили.',
    }),
    started_at: withTexts(instant, {
      en: 'The first check that was not ok.',
      ru: 'Первая неудачная или медленная проверка.',
    }),
    detected_at: withTexts(instant, {
      en: 'When the state changed.',
      ru: 'Когда изменилось состояние.',
    }),
    resolved_at: withTexts(instant.nullable(), {
      en: 'The first good check of the recovery; null while it is open.',
      ru: 'Первая удачная проверка при восстановлении; null, пока инцидент открыт.',
    }),
    duration_s: withTexts(count.nullable(), {
      en: 'From the start to the resolution; null while it is open.',
      ru: 'Секунды от начала до восстановления; null, пока инцидент открыт.',
    }),
  })
  .meta({ id: 'Incident' });
export type ShownIncident = z.infer<typeof shownIncident>;

/**
 * The body of a status answer. Instants are RFC 3339 in UTC, without milliseconds where they are zero. Each `id` is the
 * name under which the description of the API shows the part.
 */

export const status = z
  .object({
    state: withTexts(state, {
      en: 'Of the whole platform: up, degraded, down or unknown.',
      ru: 'Состояние всей платформы: up — работает, degraded — с перебоями, down — не работает, unknown — неизвестно.',
    }),
    indicator: withTexts(z.enum(INDICATORS).nullable(), {
      en: 'How bad it is: none, minor, major or critical; null while the state is unknown.',
      ru: 'Насколько всё серьёзно: none, minor, major или critical; null, пока состояние неизвестно.',
    }),
    flapping: withTexts(z.boolean(), {
      en: 'Whether a component changes so often that it is held at degraded.',
      ru: 'Меняется ли состояние какой-то службы так часто, что она удерживается в degraded.',
    }),
    stale: withTexts(z.boolean(), {
      en: 'Whether this may be behind: checks are old, or our own stores or projection are. The rest is as it was last known.',
      ru: 'Могут ли данные отставать: проверки давние, или подводят наши хранилища либо обработка. Остальное — последнее известное.',
    }),
    since: withTexts(instant.nullable(), {
      en: 'When the state began; null without checks.',
      ru: 'С каких пор состояние такое; null, если проверок не было.',
    }),
    checked_at: withTexts(instant.nullable(), {
      en: 'The newest check that counts; null without checks.',
      ru: 'Самая свежая учтённая проверка; null, если проверок не было.',
    }),
    interval_s: withTexts(z.int(), {
      en: 'The length of a round of checks.',
      ru: 'Длина раунда проверок в секундах.',
    }),
    text: withTexts(named(texts), {
      en: 'The state in a sentence, for people.',
      ru: 'Состояние одной-двумя фразами, для людей.',
    }),
    uptime,
    latency_ms: latency,
    components: withTexts(z.array(component), {
      en: 'What is watched, by id.',
      ru: 'За чем следит монитор, по id.',
    }),
    incidents: withTexts(z.array(shownIncident), {
      en: 'The last 10: open ones first, then the newest.',
      ru: 'Последние 10: сначала открытые, затем самые новые.',
    }),
    policy: withTexts(named(policy), {
      en: 'The numbers of the rules.',
      ru: 'Числа, заданные в правилах.',
    }),
    generated: withTexts(z.literal(true).optional(), {
      en: 'There alone where the service shows its sample: checks, states and incidents are generated then.',
      ru: 'Есть, только если сервис показывает пример: тогда проверки, состояния и инциденты сгенерированы.',
    }),
  })
  .meta({ id: 'Status' });
export type Status = z.infer<typeof status>;

/** An instant as it is shown. */
export function shownInstant(unixMs: number): string {
  return new Date(unixMs).toISOString().replace('.000Z', 'Z');
}
