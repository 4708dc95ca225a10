import { html, type Html } from '../../shell/html.ts';

/**
 * One request in three languages. Two places change while the page is open: the address follows the form, and the key takes
 * the place of the variable once the reader has given one.
 */

type Part =
  | string
  | { readonly place: 'key'; readonly otherwise: string; readonly quote: string }
  | typeof URL_PLACE;
const URL_PLACE = { place: 'url' } as const;

interface Sample {
  readonly language: 'sh' | 'javascript' | 'python';
  readonly caption: string;
  readonly parts: readonly Part[];
}

export const SAMPLES: readonly Sample[] = [
  {
    language: 'sh',
    caption: 'curl',
    parts: [
      'curl -i -H "x-api-key: ',
      { place: 'key', otherwise: '$CATALOG_KEY', quote: '' },
      `" \\\n  '`,
      URL_PLACE,
      `'`,
    ],
  },
  {
    language: 'javascript',
    caption: 'JavaScript',
    parts: [
      `const url = '`,
      URL_PLACE,
      `';\nconst headers = { 'x-api-key': `,
      { place: 'key', otherwise: `process.env.CATALOG_KEY ?? ''`, quote: `'` },
      ` };
const response = await fetch(url, { headers });
const body = await response.json();
if (!response.ok) throw new Error(body.error.message);
console.log(body);`,
    ],
  },
  {
    language: 'python',
    caption: 'Python',
    parts: [
      `import json, os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url = "`,
      URL_PLACE,
      `"\nkey = `,
      { place: 'key', otherwise: 'os.environ["CATALOG_KEY"]', quote: '"' },
      `
request = Request(url, headers={"x-api-key": key})
try:
    print(json.load(urlopen(request)))
except HTTPError as refused:
    raise SystemExit(json.load(refused)["error"]["message"])`,
    ],
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
    ${SAMPLES.map(
      ({ language, caption, parts }) =>
        html`<figure class="code" data-language="${language}">
          <figcaption>${caption}</figcaption>
          <pre
            tabindex="0"
            aria-label="${caption}"
          ><code translate="no">${parts.map((part) => written(part, url))}</code></pre>
        </figure> `,
    )}
  </div> `;
}

function written(part: Part, url: string): Html {
  if (typeof part === 'string') return html`${part}`;
  if (part.place === 'url') return html`<span class="string" data-place="url">${url}</span>`;
  return html`<span class="string" data-place="key" data-quote="${part.quote}">${part.otherwise}</span>`;
}
