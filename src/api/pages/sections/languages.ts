import { DEFAULT_LOCALE, LOCALES } from '../../messages/texts.ts';
import { paragraph, type Section } from '../blocks.ts';
import type { Writing } from '../writing.ts';

/** Which language a text is in. */
export function languages({ texts, prose }: Writing): Section {
  const { languageSection: said } = texts;
  const values = { locales: LOCALES.join(', '), defaultLocale: DEFAULT_LOCALE };
  return {
    id: 'languages',
    title: said.title,
    body: said.paragraphs.map((text) => paragraph(prose(text, values))),
  };
}
