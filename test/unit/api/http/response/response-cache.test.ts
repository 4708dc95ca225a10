import { hash, randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { createResponseCache } from '../../../../../src/api/http/response/response-cache.ts';
import { renderJson, renderText } from '../../../../../src/api/http/response/representation.ts';
import type { Encoding } from '../../../../../src/api/http/response/compression.ts';
import { sha256 } from '../../../../../src/platform/canonical.ts';
import { heldMemory } from '../../../../support/memory.ts';

const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

test.each([0, 1, 100, 1023, 2048, 5000, 100_000])(
  'a body of %i characters that is kept keeps no more memory than its own',
  async (length) => {
    const rendering = renderText('ы'.repeat(length), 'text/plain', []);
    expect(rendering.bytes.toString()).toBe('ы'.repeat(length));
    expect(rendering.bytes.buffer.byteLength).toBe(rendering.bytes.length);
    for (const encoding of ENCODINGS) {
      const form = await rendering.compressed(encoding);
      expect(form.buffer.byteLength, encoding).toBe(form.length);
    }
  },
);

describe('responses', () => {
  const MAX_BYTES = 4 * 2 ** 20;
  const SECRET = 'a secret of tests';
  const body = (index: number) => ({ index, text: `${index} `.repeat(300) });

  test('of all kinds take no more than their bound, in the heap and outside it', () => {
    const before = heldMemory();
    const responses = createResponseCache(MAX_BYTES, SECRET);
    for (let index = 0; index < 8000; index += 1) {
      const versions = Array.from({ length: index % 50 }, () => randomUUID());
      responses.of(`search ${index}`, versions, () =>
        renderJson({ index, versions }, 'en', { link: `<https://catalog.example/${index}>; rel="next"` }),
      );
    }
    const { heapUsed, arrayBuffers } = heldMemory();
    expect(heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(MAX_BYTES * 2);
    expect(responses.known('search 0', [])).toBe(null);
  });

  test('with compressed forms that nobody asks for again are bounded with those', async () => {
    // Every slab that somebody still holds a slice of counts whole.
    const before = heldMemory().arrayBuffers;
    const [most, pages] = [MAX_BYTES / 4, 1000];
    const responses = createResponseCache(most, SECRET);
    for (let index = 0; index < pages; index += 1) {
      const rendering = responses.of(`page ${index}`, [index], () => renderJson(body(index), 'en'));
      await rendering.compressed('gzip');
    }
    const kept = Array.from({ length: pages }, (_, index) => index).filter(
      (index) => responses.known(`page ${index}`, [index]) !== null,
    );
    expect(kept.length).toBeGreaterThan(100);
    let bytes = 0;
    for (const index of kept) {
      const rendering = responses.of(`page ${index}`, [index], unmade);
      bytes += rendering.bytes.length + (await rendering.compressed('gzip')).length;
    }
    expect(bytes).toBeLessThan(most);
    expect(heldMemory().arrayBuffers - before).toBeLessThan(most);
  });

  test('have tags under the secret, of their bytes: the same for the same', () => {
    const made = createResponseCache(MAX_BYTES, SECRET).of('a', [1], () => renderJson({ a: 'ы' }, 'en'));
    const other = createResponseCache(MAX_BYTES, SECRET).of('b', [1], () => renderJson({ a: 'ы' }, 'en'));
    expect(other.etag).toBe(made.etag);
    const open = `W/"${sha256('{"a":"ы"}')}"`;
    expect(renderJson({ a: 'ы' }, 'en').etag).toBe(open);
    const digest = hash('sha256', SECRET + open, 'base64url');
    expect(made.etag).toBe(`W/"${digest}"`);
  });

  test('are made again where what they were made from has changed', () => {
    const responses = createResponseCache(MAX_BYTES, SECRET);
    const first = responses.of('a', ['version 1', 2], () => renderJson({ a: 1 }, 'en'));
    expect(responses.of('a', ['version 1', 2], unmade)).toBe(first);
    expect(responses.of('a', ['version 2', 2], () => renderJson({ a: 2 }, 'en'))).not.toBe(first);
  });
});

function unmade(): never {
  throw new Error('it was not kept');
}
