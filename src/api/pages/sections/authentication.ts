import { KEYS_PER_ACCOUNT } from '../../../access/keys/changes.ts';
import { paragraph, type Section } from '../blocks.ts';
import type { Writing } from '../writing.ts';

/** How a key is sent, kept and replaced. */
export function authentication({ texts, prose, number }: Writing): Section {
  const { authentication: said } = texts;
  const keys = number(KEYS_PER_ACCOUNT);
  return {
    id: 'authentication',
    title: said.title,
    body: [...said.paragraphs, said.form].map((text) => paragraph(prose(text, { keys }))),
  };
}
