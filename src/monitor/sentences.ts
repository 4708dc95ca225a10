import type { Indicator } from './overall.ts';

/** The state of the whole platform in words, in both languages. */

interface Text {
  ru: string;
  en: string;
}

const BY_INDICATOR: Readonly<Record<Indicator, Text>> = {
  none: { ru: 'Всё работает.', en: 'Everything works.' },
  minor: { ru: 'У некоторых служб перебои.', en: 'Some services have problems.' },
  major: { ru: 'Не все основные службы работают.', en: 'Not every critical service works.' },
  critical: { ru: 'Основные службы не работают.', en: 'The critical services are down.' },
};

const NOT_READ: Text = {
  ru: 'Состояние пока неизвестно: после запуска его ещё не удалось прочитать.',
  en: 'The state is not known yet: it has not been read since the start.',
};

const NEVER_CHECKED: Text = {
  ru: 'Состояние неизвестно: проверок не было.',
  en: 'The state is unknown: nothing was checked.',
};

const NOT_CHECKED: Text = {
  ru: 'Состояние неизвестно: проверяются не все основные службы.',
  en: 'The state is unknown: not every critical service is being checked.',
};

const FLAPPING: Text = { ru: 'Состояние часто меняется.', en: 'The state keeps changing.' };
const STALE: Text = { ru: 'Данные устарели.', en: 'These data are out of date.' };

interface Said {
  readonly indicator: Indicator | null;
  readonly flapping: boolean;
  readonly stale: boolean;
  /** Whether the stores have been read since the start: before that nothing can be said of checks. */
  readonly isRead: boolean;
  /** Whether anything has ever been checked. */
  readonly isChecked: boolean;
}

/** The state in a sentence or two, for people. */
export function textOf({ indicator, flapping, stale, isRead, isChecked }: Said): Text {
  if (!isRead) return NOT_READ;
  const unknown = isChecked ? NOT_CHECKED : NEVER_CHECKED;
  const sentences = [
    indicator === null ? unknown : BY_INDICATOR[indicator],
    ...(flapping ? [FLAPPING] : []),
    ...(stale ? [STALE] : []),
  ];
  return { ru: sentences.map(({ ru }) => ru).join(' '), en: sentences.map(({ en }) => en).join(' ') };
}
