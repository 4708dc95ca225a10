import { expect, test } from 'vitest';

import { blocksMarkdown, textMarkdown } from '../../../../src/api/pages/docs/block-markdown.ts';
import { code, heading, link, list, paragraph, table, term } from '../../../../src/api/pages/docs/blocks.ts';

test('each block becomes its form in Markdown', () => {
  const blocks = [
    heading('a', 'A title'),
    paragraph([
      'See ',
      link(['there'], 'https://x.example/y'),
      ' and ',
      { kind: 'strong', text: 'mind' },
      '.',
    ]),
    list([['one'], [term('two')]]),
    table({
      label: 'T',
      head: ['N', 'V'],
      rows: [[[term('a')], ['1']]],
      numeric: [1],
      foot: [['sum'], ['1']],
    }),
    code({ caption: 'Run', language: 'sh', text: 'ls' }),
  ];
  expect(blocksMarkdown(blocks, 2)).toBe(`## A title

See [there](https://x.example/y) and **mind**.

- one
- \`two\`

| N | V |
| --- | --: |
| \`a\` | 1 |
| sum | 1 |

Run:

\`\`\`sh
ls
\`\`\`

`);
});

test.each([
  ['<img src=x onerror=alert(1)>', String.raw`\<img src=x onerror=alert(1)\>`],
  ['[x](javascript:alert(1))', String.raw`\[x\](javascript:alert(1))`],
  ['a*b*_c_`d`', 'a\\*b\\*\\_c\\_\\`d\\`'],
])('no text becomes a mark: %s', (text, escaped) => {
  expect(textMarkdown([text])).toBe(escaped);
});

test('code is fenced by more backticks than it has, and ends no cell of a table', () => {
  expect(textMarkdown([term('a`b')])).toBe('`` a`b ``');
  const fenced = blocksMarkdown([code({ caption: 'c', language: 'sh', text: '```\nend' })], 2);
  expect(fenced).toContain('````sh\n```\nend\n````');
  const cells = blocksMarkdown([table({ label: 't', head: ['h'], rows: [[[term('a|b')]], [['c|d']]] })], 2);
  expect(cells).toContain('| `a\\|b` |\n| c\\|d |');
});

test('an address ends where it ends', () => {
  expect(textMarkdown([link(['x'], 'https://x.example/a b)c')])).toBe('[x](https://x.example/a%20b%29c)');
});
