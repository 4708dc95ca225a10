import { z } from 'zod';

import { withTexts } from '../platform/schema-texts.ts';
import { count, instant } from './component-body.ts';
import { SEVERITIES } from './machine-state.ts';

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
