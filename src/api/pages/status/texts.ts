import type { Locale } from '../../messages/texts.ts';
import en from './texts/en.json' with { type: 'json' };
import ru from './texts/ru.json' with { type: 'json' };

export const STATUS_TEXTS: Readonly<Record<Locale, typeof en>> = { ru, en };
