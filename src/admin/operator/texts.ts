import type { Locale } from '../../api/messages/texts.ts';
import en from './texts/en.json' with { type: 'json' };
import ru from './texts/ru.json' with { type: 'json' };

/**
 * What the operator page says, as pages of the API say it: a file for each language, written by hand. In a confirmation `{to}`,
 * `{from}` and `{build}` are builds, and `undo` says whether there is a way back.
 */
export type OperatorTexts = typeof en;

export const OPERATOR_TEXTS: Readonly<Record<Locale, OperatorTexts>> = { ru, en };
