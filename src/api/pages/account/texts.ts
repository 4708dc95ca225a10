import type { Locale } from '../../messages/texts.ts';
import en from './texts/en.json' with { type: 'json' };
import ru from './texts/ru.json' with { type: 'json' };

export type AccountTexts = typeof en;
export type Trouble = Exclude<keyof AccountTexts['trouble'], 'back'>;
export type Notice = keyof AccountTexts['done'];
export type Refused = keyof AccountTexts['refused'];

export const ACCOUNT_TEXTS: Readonly<Record<Locale, AccountTexts>> = { ru, en };
