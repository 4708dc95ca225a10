import { pieces } from '../../../../texts/fill.ts';
import { html, type Html } from '../../shell/html.ts';

/**
 * One request in three languages. Two places change while the page is open: the address follows the form, and the key takes
 * the place of the variable once the reader has given one.
 */

interface Sample {
  readonly language: 'sh' | 'javascript' | 'python';
  readonly caption: string;
  /** With the places `{url}` and `{key}`. */
  readonly text: string;
  /** What stands in the place of the key before there is one. */
  readonly variable: string;
  /** What stands around a key. */
  readonly quote: string;
}

const SAMPLES: readonly Sample[] = [
  {
    language: 'sh',
    caption: 'curl',
    variable: '$CATALOG_KEY',
    quote: '',
    text: `curl -i -H "x-api-key: {key}" \\
  '{url}'`,
  },
  {
    language: 'javascript',
    caption: 'JavaScript',
    variable: `process.env.CATALOG_KEY ?? ''`,
    quote: `'`,
    text: `const url = '{url}';
const headers = { 'x-api-key': {key} };
const response = await fetch(url, { headers });
const body = await response.json();
if (!response.ok) throw new Error(body.error.message);
console.log(body);`,
  },
  {
    language: 'python',
    caption: 'Python',
    variable: 'os.environ["CATALOG_KEY"]',
    quote: '"',
    text: `import json, os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url = "{url}"
key = {key}
request = Request(url, headers={"x-api-key": key})
try:
    print(json.load(urlopen(request)))
except HTTPError as refused:
    raise SystemExit(json.load(refused)["error"]["message"])`,
  },
];

/** The samples, of which the reader sees one: radio buttons choose, so that this needs no script. */
export function samples(operation: string, url: string, label: string): Html {
  return html`<div class="samples">
    <fieldset class="tabs">
      <legend class="hidden">${label}</legend>
      ${SAMPLES.map(
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
    ${SAMPLES.map((one) => sample(one, url))}
  </div> `;
}

function sample({ language, caption, text, variable, quote }: Sample, url: string): Html {
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
