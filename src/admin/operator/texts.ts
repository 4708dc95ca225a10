import type { Locale } from '../../api/messages/texts.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** What the operator page says. Both languages are written by hand; texts-en.ts says which texts there are. */
export type OperatorTexts = typeof en;

export const OPERATOR_TEXTS: Readonly<Record<Locale, OperatorTexts>> = { ru, en };
