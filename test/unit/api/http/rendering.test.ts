import { createHmac, randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { createRenderings } from '../../../../src/api/http/renderings.ts';
import { renderJson, renderText } from '../../../../src/api/http/rendering.ts';
import type { Encoding } from '../../../../src/api/http/encoded-forms.ts';
import { sha256 } from '../../../../src/platform/canonical.ts';
import { heldMemory } from '../../../support/memory.ts';

const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

describe('a body that is kept keeps no more memory than its own', () => {
  test.each([0, 1, 100, 1023, 2048, 5000, 100_000])('of %i characters', async (length) => {
    const rendering = renderText('ы'.repeat(length), 'text/plain', []);
    expect(rendering.bytes.toString()).toBe('ы'.repeat(length));
    expect(rendering.bytes.buffer.byteLength).toBe(rendering.bytes.length);
    for (const encoding of ENCODINGS) {
      const form = await rendering.encoded.of(encoding);
      expect(form.buffer.byteLength, encoding).toBe(form.length);
    }
  });
});

describe('renderings', () => {
  const MAX_BYTES = 4 * 2 ** 20;
  const SECRET = 'a secret of tests';
  const body = (index: number) => ({ index, text: `${index} `.repeat(300) });

  test('of small bodies without end take no more memory than their bound', async () => {
    const before = takenOutsideTheHeap();
    const renderings = createRenderings(MAX_BYTES, SECRET);
    for (let index = 0; index < 20_000; index += 1) {
      renderings.of(`small ${index}`, [index], () => renderJson({ index }, 'en'));
    }
    const taken = takenOutsideTheHeap() - before;
    expect(taken).toBeLessThan(MAX_BYTES);
    expect(isKept(renderings, 'small 19999', 19_999)).toBe(true);
  });

  test('of all kinds take no more than their bound, in the heap and outside it', () => {
    const before = heldMemory();
    const renderings = createRenderings(MAX_BYTES, SECRET);
    for (let index = 0; index < 8000; index += 1) {
      const versions = Array.from({ length: index % 50 }, () => randomUUID());
      renderings.of(`search ${index}`, versions, () =>
        renderJson({ index, versions }, 'en', { link: `<https://catalog.example/${index}>; rel="next"` }),
      );
    }
    const { heapUsed, arrayBuffers } = heldMemory();
    expect(heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(MAX_BYTES * 2);
    expect(isKept(renderings, 'search 8000', '')).toBe(false);
  });

  test('with compressed forms that nobody asks for again are bounded with those', async () => {
    const before = takenOutsideTheHeap();
    const renderings = createRenderings(MAX_BYTES, SECRET);
    for (let index = 0; index < 4000; index += 1) {
      const rendering = renderings.of(`page ${index}`, [index], () => renderJson(body(index), 'en'));
      await rendering.encoded.of('gzip');
      // Asked for again, so that it is more than a passing one.
      renderings.of(`page ${index}`, [index], unmade);
    }
    const kept = Array.from({ length: 4000 }, (_, index) => index).filter((index) =>
      isKept(renderings, `page ${index}`, index),
    );
    expect(kept.length).toBeGreaterThan(100);
    let bytes = 0;
    for (const index of kept) {
      const rendering = renderings.of(`page ${index}`, [index], unmade);
      bytes += rendering.bytes.length + (await rendering.encoded.of('gzip')).length;
    }
    expect(bytes).toBeLessThan(MAX_BYTES);
    expect(takenOutsideTheHeap() - before).toBeLessThan(MAX_BYTES);
  });

  test('a form that is made later counts: others make room for it', async () => {
    const incompressible = Array.from({ length: 30_000 }, (_, index) =>
      String.fromCharCode(0x4e00 + ((index * 7919 + index ** 3) % 20_000)),
    ).join('');
    const renderings = createRenderings(220_000, SECRET);
    renderings.of('older', [1], () => renderText('a'.repeat(80_000), 'text/plain', []));
    const newer = renderings.of('newer', [1], () => renderText(incompressible, 'text/plain', []));
    expect(isKept(renderings, 'older', 1)).toBe(true);
    await newer.encoded.of('gzip');
    await newer.encoded.of('br');
    expect([isKept(renderings, 'older', 1), isKept(renderings, 'newer', 1)]).not.toEqual([true, true]);
  });

  test('have tags under the secret, of their bytes: the same for the same, whether or not the bytes were wanted', () => {
    const made = createRenderings(MAX_BYTES, SECRET).of('a', [1], () => renderJson({ a: 'ы' }, 'en'));
    const late = createRenderings(MAX_BYTES, SECRET).of('b', [1], () => renderJson({ a: 'ы' }, 'en'));
    expect(late.bytes.toString()).toBe('{"a":"ы"}');
    expect(late.etag).toBe(made.etag);
    const open = `W/"${sha256('{"a":"ы"}')}"`;
    expect(renderJson({ a: 'ы' }, 'en').etag).toBe(open);
    const digest = createHmac('sha256', SECRET).update(open).digest('base64url');
    expect(made.etag).toBe(`W/"${digest}"`);
  });

  test('are made again where what they were made from has changed', () => {
    const renderings = createRenderings(MAX_BYTES, SECRET);
    const first = renderings.of('a', ['version 1', 2], () => renderJson({ a: 1 }, 'en'));
    expect(renderings.of('a', ['version 1', 2], unmade)).toBe(first);
    expect(renderings.of('a', ['version 2', 2], () => renderJson({ a: 2 }, 'en'))).not.toBe(first);
  });
});

function unmade(): never {
  throw new Error('it was not kept');
}

function isKept(
  renderings: ReturnType<typeof createRenderings>,
  key: string,
  stamp: number | string,
): boolean {
  try {
    renderings.of(key, [stamp], unmade);
    return true;
  } catch {
    return false;
  }
}

/** Every slab that somebody still holds a slice of counts whole. */
function takenOutsideTheHeap(): number {
  return heldMemory().arrayBuffers;
}
