import type { Indicator } from './overall.ts';

/** The state in a sentence or two, for people. */

interface Text {
  ru: string;
  en: string;
}

const BY_INDICATOR: Readonly<Record<Indicator | 'unknown', Text>> = {
  none: { ru: 'Всё работает.', en: 'Everything works.' },
  minor: { ru: 'У некоторых служб перебои.', en: 'Some services have problems.' },
  major: { ru: 'Не все основные службы работают.', en: 'Not every critical service works.' },
  critical: { ru: 'Основные службы не работают.', en: 'The critical services are down.' },
  unknown: {
    ru: 'Состояние неизвестно: проверок не было.',
    en: 'The state is unknown: nothing was checked.',
  },
};

const FLAPPING: Text = {
  ru: 'Состояние часто меняется.',
  en: 'The state keeps changing.',
};

const STALE: Text = {
  ru: 'Данные устарели.',
  en: 'These data are out of date.',
};

export function textOf(indicator: Indicator | null, flapping: boolean, stale: boolean): Text {
  const sentences = [
    BY_INDICATOR[indicator ?? 'unknown'],
    ...(flapping ? [FLAPPING] : []),
    ...(stale ? [STALE] : []),
  ];
  return { ru: sentences.map(({ ru }) => ru).join(' '), en: sentences.map(({ en }) => en).join(' ') };
}
