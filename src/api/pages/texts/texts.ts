import type { Locale } from '../../messages/texts.ts';
import { en } from './en.ts';
import { ru } from './ru.ts';

/** Everything that the developer pages say, in one language. */
export type PageTexts = typeof en;

export const PAGE_TEXTS: Readonly<Record<Locale, PageTexts>> = { ru, en };
