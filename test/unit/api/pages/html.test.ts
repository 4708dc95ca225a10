import { describe, expect, test } from 'vitest';

import { html } from '../../../../src/api/pages/shell/html.ts';
import { textHtml } from '../../../../src/api/pages/docs/block-html.ts';
import { createProse } from '../../../../src/api/pages/docs/writing.ts';

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

describe('running text', () => {
  const prose = createProse('en', { place: '*`[<b>](x)', url: 'https://a.example' });

  test('has code, links and words that matter', () => {
    expect(String(textHtml(prose('`a` [b](#c) *d*')))).toBe(
      '<code translate="no">a</code> <a href="#c">b</a> <strong>d</strong>',
    );
  });

  test('takes no value for markup', () => {
    expect(String(textHtml(prose('{place} `{place}`')))).toBe(
      '*`[&lt;b&gt;](x) <code translate="no">*`[&lt;b&gt;](x)</code>',
    );
  });

  test('fills places in links, and leaves those that have no value', () => {
    expect(String(textHtml(prose('[{url}]({url}/x) /listings/{slug}')))).toBe(
      '<a href="https://a.example/x">https://a.example</a> /listings/{slug}',
    );
  });
});
