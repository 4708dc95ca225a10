import { describe, expect, test } from 'vitest';

import { html } from '../../../../src/api/pages/shell/html.ts';

describe('markup', () => {
  test('escapes whatever is put into it, in text and in attributes', () => {
    const hostile = `<script>"'&`;
    expect(String(html`<p title="${hostile}">${hostile}</p>`)).toBe(
      '<p title="&lt;script&gt;&quot;&#39;&amp;">&lt;script&gt;&quot;&#39;&amp;</p>',
    );
  });

  test('shows what cannot be seen, but leaves emoji of several parts whole', () => {
    expect(String(html`${'a\u202Eb\u200Dc'}`)).toBe(String.raw`a\u202eb\u200dc`);
    expect(String(html`${'👩\u200D💻 ❤\uFE0F <b>'}`)).toBe('👩\u200D💻 ❤\uFE0F &lt;b&gt;');
  });

  test('takes markup as it is, alone and in lists, and numbers', () => {
    const item = html`<i>${1}</i>`;
    expect(String(html`<b>${[item, item]}</b>`)).toBe('<b><i>1</i><i>1</i></b>');
  });
});
