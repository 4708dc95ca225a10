import { readFileSync } from 'node:fs';

import { lexer, type MarkedToken } from 'marked';

import { once } from '../../../../platform/once.ts';
import { pieces } from '../../../../texts/fill.ts';
import { html, type Html } from '../../shell/html.ts';

/**
 * One request in three languages. Two places change while the page is open: the address follows the form, and the key takes
 * the place of the variable once the reader has given one.
 */

/** By language: what stands in the place of the key before there is one, and what stands around a key. */
const KEYS: Readonly<Record<string, readonly [variable: string, quote: string]>> = {
  sh: ['$CATALOG_KEY', ''],
  javascript: [`process.env.CATALOG_KEY ?? ''`, `'`],
  python: ['os.environ["CATALOG_KEY"]', '"'],
};

/** With the places `{url}` and `{key}`. */
const readSamples = once(() => {
  const blocks = lexer(readFileSync(new URL('samples.md', import.meta.url), 'utf8')) as MarkedToken[];
  return blocks.flatMap((block) => {
    if (block.type !== 'code') return [];
    const [language = '', caption = ''] = (block.lang ?? '').split(' ');
    return [{ language, caption, text: block.text }];
  });
});

/** The samples, of which the reader sees one: radio buttons choose, so that this needs no script. */
export function samples(operation: string, url: string, label: string): Html {
  return html`<div class="samples">
    <fieldset class="tabs">
      <legend class="hidden">${label}</legend>
      ${readSamples().map(
        ({ language, caption }, index) =>
          html`<label
            ><input
              type="radio"
              name="${operation}-language"
              value="${language}"
              ${index === 0 ? html`checked` : html``}
            /><span>${caption}</span></label
          > `,
      )}
    </fieldset>
    ${readSamples().map((one) => sample(one, url))}
  </div> `;
}

function sample({ language, caption, text }: ReturnType<typeof readSamples>[number], url: string): Html {
  const known = KEYS[language];
  if (known === undefined)
    throw new Error(`samples.md: expected ${Object.keys(KEYS).join(', ')}, got ${language}`);
  const [variable, quote] = known;
  const places = {
    url: html`<span class="string" data-place="url">${url}</span>`,
    key: html`<span class="string" data-place="key" data-quote="${quote}">${variable}</span>`,
  };
  const filled = pieces(text, places, 'en').map((piece) => html`${piece}`);
  return html`<figure class="code" data-language="${language}">
    <figcaption>${caption}</figcaption>
    <pre tabindex="0" aria-label="${caption}"><code translate="no">${filled}</code></pre>
  </figure> `;
}
