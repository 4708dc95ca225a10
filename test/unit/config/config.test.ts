import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readConfig } from '../../../src/config.ts';
import { SECRETS, VARIABLES } from '../../../src/config/variables.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('the configuration', () => {
  test('has a default for everything, all of it in the data folder', () => {
    expect(readConfig({})).toMatchObject({
      dataFolder: './data',
      logUrl: { scheme: 'sqlite', path: 'data/log.db' },
      documentsUrl: { scheme: 'sqlite', path: 'data/documents.db' },
      publicUrl: null,
      adminHost: '127.0.0.1',
    });
  });

  test('keeps idle connections for longer than a front does where there is one, and for as long as it is told', () => {
    const shared = { CATALOG_DOCUMENTS_URL: 'mongodb://one/catalog', CATALOG_KEY_PEPPER: 'x'.repeat(16) };
    expect(readConfig({}).keepAliveMs).toBe(20_000);
    expect(readConfig(shared).keepAliveMs).toBe(75_000);
    expect(readConfig({ CATALOG_KEEP_ALIVE: '120' }).keepAliveMs).toBe(120_000);
  });

  test('takes an empty variable for an absent one', () => {
    expect(readConfig({ PORT: '', CATALOG_DATA: '' })).toEqual(readConfig({}));
  });

  test('takes the scheme of a URL for the choice of the adapter, and a password from a variable of its own', () => {
    const { logUrl } = readConfig({
      CATALOG_LOG_URL: 'kafka://one:9092,two:9092?tls=false',
      CATALOG_LOG_USERNAME: 'me',
      CATALOG_LOG_PASSWORD: 'secret',
    });
    expect(logUrl).toMatchObject({
      scheme: 'kafka',
      brokers: ['one:9092', 'two:9092'],
      sasl: { username: 'me', password: 'secret' },
    });
  });

  test('does not repeat a password that stands in a wrong URL', () => {
    const read = (): unknown => readConfig({ CATALOG_LOG_URL: 'kafka://me:secret@one' });
    expect(read).toThrow(/^CATALOG_LOG_URL is wrong: expected kafka:\/\/(?!.*secret)/);
    // Nothing in it looks like a secret, else a part of it would be hidden where it is printed.
    expect(read).toThrow(/^CATALOG_LOG_URL is wrong: expected kafka:\/\/HOST:PORT(?!.*@)/);
  });

  test.each([
    ['PORT', '80a'],
    ['PORT', '65536'],
    ['CATALOG_KEEP_ALIVE', '0'],
    ['CATALOG_KEEP_ALIVE', '3601'],
    ['CATALOG_KEEP_ALIVE', '60s'],
    ['ADMIN_PORT', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['CATALOG_SAMPLE', 'yes'],
    ['CATALOG_LOG_URL', 'kafka'],
    ['CATALOG_LOG_URL', 'kafka://one'],
    ['CATALOG_DOCUMENTS_URL', 'mongodb:host'],
    ['CATALOG_SEARCH_URL', 'meilisearch://host'],
    ['CATALOG_SEARCH_URL', 'http://user:secret@host'],
    ['CATALOG_SEARCH_KEY', 'two words'],
    ['CATALOG_PUBLIC_URL', 'localhost:8080'],
    ['CATALOG_KEY_PEPPER', 'short'],
    ['CATALOG_MONITOR_POLICY', 'fail_rounds'],
    ['CATALOG_MONITOR_POLICY', 'fail_rounds=0'],
  ])('names a wrong %s (%s) and says what it accepts', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} is wrong: expected .+\\.$`));
  });

  test('takes the numbers of the monitor’s rules from one variable, and those that are not in it by default', () => {
    const { monitorPolicy } = readConfig({ CATALOG_MONITOR_POLICY: 'fail_rounds=2, settle_s=20' });
    expect(monitorPolicy).toEqual({ ...readConfig({}).monitorPolicy, fail_rounds: 2, settle_s: 20 });
  });

  test('takes documents from MongoDB, and then wants the secret that all processes share', () => {
    const url = 'mongodb://one:27017,two:27017/catalog?replicaSet=rs0';
    const environment = { CATALOG_DOCUMENTS_URL: url, CATALOG_KEY_PEPPER: 'x'.repeat(16) };
    expect(readConfig(environment).documentsUrl).toEqual({ scheme: 'mongodb', url });
    expect(() => readConfig({ CATALOG_DOCUMENTS_URL: url })).toThrow(/^CATALOG_KEY_PEPPER is missing: /);
  });

  test('takes search from Meilisearch, with the key that it asks for or without', () => {
    const url = 'https://search.example:7700/below';
    const searchUrl = { scheme: 'meilisearch', url };
    expect(readConfig({ CATALOG_SEARCH_URL: url })).toMatchObject({ searchUrl, searchKey: null });
    const environment = { CATALOG_SEARCH_URL: url, CATALOG_SEARCH_KEY: 'secret' };
    expect(readConfig(environment)).toMatchObject({ searchUrl, searchKey: 'secret' });
  });

  test.each([
    ['CATALOG_SAMPEL', 'CATALOG_SAMPLE'],
    ['CATALOG_DAT', 'CATALOG_DATA'],
    ['CATALOG_LOGURL', 'CATALOG_LOG_URL'],
    ['CATALOG_DOCUMENT_URLS', 'CATALOG_DOCUMENTS_URL'],
    ['CATALOG_PUBLIC_URI', 'CATALOG_PUBLIC_URL'],
  ])('refuses %s, which is nearly %s', (name, meant) => {
    expect(() => readConfig({ [name]: 'x' })).toThrow(`${name} is not known. Is ${meant} meant?`);
  });

  test('names other variables of our prefix, which have no effect, and no others', () => {
    const environment = {
      CATALOG_PORT_8080_TCP: 'tcp://10.0.0.1',
      CATALOG_KEY: '',
      PROT: '1',
      CATALOG_REGION: 'eu',
    };
    const { unknownVariables } = readConfig(environment);
    expect(unknownVariables).toEqual(['CATALOG_PORT_8080_TCP', 'CATALOG_REGION']);
    expect(readConfig({ CATALOG_SAMPLE: 'off' }).unknownVariables).toEqual([]);
  });

  test('takes each secret from a file, for whom the environment is not secret enough', () => {
    const file = join(temporaryFolder(), 'secret');
    const text = (secret: string): string => (writeFileSync(file, secret), file);
    const url = 'mongodb://me:secret@one/catalog';
    writeFileSync(`${file}-url`, `${url}\n`);
    const config = readConfig({
      CATALOG_KEY_PEPPER_FILE: text('a pepper with spaces, 30 long\r\n'),
      CATALOG_DOCUMENTS_URL_FILE: `${file}-url`,
    });
    expect(config).toMatchObject({
      keyPepper: 'a pepper with spaces, 30 long',
      documentsUrl: { scheme: 'mongodb', url },
    });
    expect(readConfig({ CATALOG_SEARCH_KEY_FILE: text('key') }).searchKey).toBe('key');
    expect(
      readConfig({ CATALOG_LOG_URL_FILE: text('kafka://me:secret@one:9092?tls=true') }).logUrl,
    ).toMatchObject({ sasl: { password: 'secret' } });
    const { logUrl } = readConfig({
      CATALOG_LOG_URL: 'kafka://one:9092?tls=true',
      CATALOG_LOG_USERNAME: 'me',
      CATALOG_LOG_PASSWORD_FILE: text(' p '),
    });
    expect(logUrl).toMatchObject({ sasl: { password: ' p ' } });
  });

  test.each(SECRETS)('names %s_FILE where the file does not help, and repeats nothing of it', (name) => {
    const folder = temporaryFolder();
    const write = (text: string | Buffer): string => (
      writeFileSync(join(folder, 'secret'), text),
      join(folder, 'secret')
    );
    const read = (file: string) => (): unknown => readConfig({ [`${name}_FILE`]: file });
    expect(read(join(folder, 'absent'))).toThrow(new RegExp(`^${name}_FILE is wrong: .*ENOENT.*readable`));
    expect(read(folder)).toThrow(new RegExp(`^${name}_FILE is wrong: .*EISDIR`));
    for (const text of ['', '\n', 'secret\nsecret', 'secret\0', Buffer.alloc(32, 0x80), 'x'.repeat(1e6)])
      expect(read(write(text))).toThrow(
        /_FILE is wrong: (?!.*secret.*secret).* does not hold one line of text/,
      );
    const both = { [name]: 'x'.repeat(20), [`${name}_FILE`]: write('y'.repeat(20)) };
    expect(() => readConfig(both)).toThrow(`${name} and ${name}_FILE are both set. Keep one of them.`);
  });

  test('is listed whole in docs/reference/configuration.md, and nothing else is', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/configuration.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map((match) => String(match[1]));
    expect(listed.sort()).toEqual(Object.keys(VARIABLES).sort());
  });

  test('is described with the defaults that the code has', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/configuration.md'), 'utf8');
    const described = new Map(
      [...page.matchAll(/^\| `([A-Z_]+)` +\| (.+?) +\|/gm)].map(([, name, preset]) => [name, preset]),
    );
    for (const [name, schema] of Object.entries(VARIABLES)) {
      expect(described.get(name), name).toMatch(defaultIn(schema.safeParse(undefined).data));
    }
  });
});

/** How the page writes a default. One that is made of other settings is told in words. */
function defaultIn(preset: unknown): RegExp {
  if (typeof preset !== 'string' && typeof preset !== 'number') return /^(?!`[^`]+`$)/;
  return preset === '' ? /^none$/ : new RegExp(`^\`${preset}\`$`);
}
