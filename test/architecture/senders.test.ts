import { expect, test } from 'vitest';

import { sourcesWhere } from '../support/sources.ts';

/**
 * Every file that writes an HTTP answer, with what it answers. A rule of answers (their size, their headers, what they repeat,
 * that they are counted and logged) has to hold in each of them: whoever adds one looks at the rules first, in
 * docs/reference/api.md and docs/reference/pages.md.
 */
const SENDERS: Readonly<Record<string, string>> = {
  'src/api/http/response/send.ts': 'routes: data, pages, redirects, refusals',
  'src/api/http/answer-parser-errors.ts': 'what the parser or its limits refuse, at the socket',
  'src/api/pages/shell/reply.ts': 'the pages of accounts and of operators, and the files that they load',
  'src/admin/probes-and-metrics.ts': 'health, metrics, and what is refused on the admin port',
  'src/admin/operator/pages.ts': 'the first address of the admin port',
};

const SENDS = [
  /\.(?:writeHead|writeContinue|writeEarlyHints|sendStatus|sendFile|redirect)\(/,
  /\b(?:response|socket|to)\s*\.(?:(?:end|write|send)\(|json\((?!\)))/,
  /\.status\([^)]*\)\s*\.\w+\(/,
];

test('the files that write an answer are the ones that are listed here', () => {
  const found = sourcesWhere((text) => SENDS.some((pattern) => pattern.test(text)));
  expect(found).toEqual(Object.keys(SENDERS).toSorted());
});
