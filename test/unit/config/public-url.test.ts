import { expect, test } from 'vitest';

import { localUrl, readConfig } from '../../../src/config.ts';
import { readPublicUrl } from '../../../src/config/variables.ts';
import { words } from '../../support/words.ts';

test.each([
  ['https://catalog.example', 'https://catalog.example'],
  ['https://catalog.example/', 'https://catalog.example'],
  ['https://catalog.example///', 'https://catalog.example'],
  ['HTTPS://Catalog.EXAMPLE', 'https://catalog.example'],
  ['http://LocalHost:25040', 'http://localhost:25040'],
  ['https://catalog.example:443', 'https://catalog.example'],
  ['http://catalog.example:80/', 'http://catalog.example'],
  ['http://catalog.example:443', 'http://catalog.example:443'],
  ['https://catalog.example:08443', 'https://catalog.example:8443'],
  ['https://каталог.example', 'https://xn--80aajzhsz.example'],
  ['https://КАТАЛОГ.example', 'https://xn--80aajzhsz.example'],
  ['https://xn--80aajzhsz.example', 'https://xn--80aajzhsz.example'],
  ['https://Bücher.example', 'https://xn--bcher-kva.example'],
  ['https://catalog.example/Below/', 'https://catalog.example/Below'],
  ['https://catalog.example/a/../b', 'https://catalog.example/b'],
  ['https://catalog.example/каталог', 'https://catalog.example/%D0%BA%D0%B0%D1%82%D0%B0%D0%BB%D0%BE%D0%B3'],
  ['http://127.1:8080', 'http://127.0.0.1:8080'],
  ['http://[0:0:0:0:0:0:0:1]:8080', 'http://[::1]:8080'],
])('the public address %s has one spelling, %s', (text, url) => {
  expect(readPublicUrl(text)).toBe(url);
  expect(readConfig({ CATALOG_PUBLIC_URL: text }).publicUrl).toBe(url);
  // What a browser or a provider makes of an address below it is that address.
  expect(new URL(`${url}/en/account/callback`).href).toBe(`${url}/en/account/callback`);
});

test.each([
  ...words('catalog.example ftp://catalog.example https:// https://catalog.example?x'),
  ...words('https://catalog.example#x https://me:secret@catalog.example https://catalog.example:99999'),
  'https://cata log.example',
  'https://catalog.example\\x',
])('%s is no public address', (text) => {
  expect(readPublicUrl(text)).toBeNull();
  expect(() => readConfig({ CATALOG_PUBLIC_URL: text })).toThrow(
    'CATALOG_PUBLIC_URL is wrong: expected an http or https URL without a query.',
  );
});

test('the address of this machine is spelt so too', () => {
  expect([localUrl(80), localUrl(8080)]).toEqual(['http://localhost', 'http://localhost:8080']);
});
