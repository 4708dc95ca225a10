import { code, paragraph, type Section } from '../blocks.ts';
import { generateTypes, typedRequest } from '../snippets.ts';
import type { Writing } from '../writing.ts';

/** Types from the description. */
export function client(writing: Writing): Section {
  const { texts, prose, publicUrl } = writing;
  const { client: said } = texts;
  return {
    id: 'client',
    title: said.title,
    body: [
      paragraph(prose(said.intro)),
      code({ ...generateTypes(publicUrl), caption: said.generate }),
      code({ ...typedRequest(writing), caption: said.use }),
      paragraph(prose(said.russian)),
    ],
  };
}
