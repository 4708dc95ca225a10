import type { Locale } from '../../messages/texts.ts';
import en from './texts/en.json' with { type: 'json' };
import ru from './texts/ru.json' with { type: 'json' };

/**
 * What stands on every page, and what each public page says. The texts of pages are a file for each language, `texts/<language>.json`,
 * written by hand; `en` says which texts there are, and the compiler finds what is missing in the other one.
 */
export type ShellTexts = typeof en;

export const SHELL_TEXTS: Readonly<Record<Locale, ShellTexts>> = { ru, en };
