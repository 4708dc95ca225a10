import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { readKafkaAddress } from '../../../../src/events/log/kafka/address.ts';

const PLAIN = { scheme: 'kafka', tls: null, sasl: null };
const NO_FILES = { ca: null, cert: null, key: null };

test.each([
  ['kafka://one:9092', { ...PLAIN, brokers: ['one:9092'] }],
  ['kafka://one:9092,10.0.0.2:9093/', { ...PLAIN, brokers: ['one:9092', '10.0.0.2:9093'] }],
  ['kafka://one:9092?tls=true', { ...PLAIN, brokers: ['one:9092'], tls: NO_FILES }],
  [
    'kafka://one:9092?tls=true&ca=/etc/ca.pem&cert=a.pem&key=b.pem',
    { ...PLAIN, brokers: ['one:9092'], tls: { ca: '/etc/ca.pem', cert: 'a.pem', key: 'b.pem' } },
  ],
  [
    'kafka://me:a%40b:c@one:9092?tls=false',
    {
      ...PLAIN,
      brokers: ['one:9092'],
      sasl: { mechanism: 'scram-sha-512', username: 'me', password: 'a@b:c' },
    },
  ],
])('%s is understood', (url, address) => {
  expect(readKafkaAddress(url)).toEqual(address);
});

test('credentials in variables of their own win over those in the URL', () => {
  const address = readKafkaAddress('kafka://old:older@one:9092?sasl=plain&tls=true', {
    username: 'new',
    password: 'p@ss%',
  });
  expect(address).toMatchObject({ sasl: { mechanism: 'plain', username: 'new', password: 'p@ss%' } });
});

test.each([
  ['kafka://', /HOST:PORT/],
  ['kafka://one', /HOST:PORT/],
  ['kafka://one:9092,', /HOST:PORT/],
  ['kafka://one:9092/topic', /HOST:PORT/],
  ['kafka://[::1]:9092', /HOST:PORT/],
  ['kafka://one:9092?ssl=true', /no option but tls, ca/],
  ['kafka://one:9092?tls=yes', /tls=true or tls=false/],
  ['kafka://one:9092?ca=ca.pem', /tls=true beside/],
  ['kafka://one:9092?sasl=plain', /both a user and a password/],
  ['kafka://me@one:9092', /both a user and a password/],
  ['kafka://me:secret@one:9092?sasl=kerberos', /sasl=plain or sasl=scram-sha-256/],
  ['kafka://me:100%@one:9092', /percent-encoded/],
  ['kafka://me:secret@one:9092', /tls=true beside a user, or tls=false/],
  ['kafka://me:secret@127.0.0.1:9092,one:9092?sasl=plain', /tls=true beside a user, or tls=false/],
])('%s is refused with what is accepted, and no password is repeated', (url, expected) => {
  const read = readKafkaAddress(url);
  expect('expected' in read && read.expected).toMatch(expected);
  expect(JSON.stringify(read)).not.toContain('secret');
});

test('a user without TLS is no surprise on loopback, nor where it is said', () => {
  const urls = ['kafka://me:x@localhost:1,127.0.0.2:2', 'kafka://me:x@one:9092?tls=false'];
  for (const url of urls)
    expect(readKafkaAddress(url)).toMatchObject({ tls: null, sasl: { username: 'me' } });
});

test('every option of an address stands in the reference', async () => {
  const reference = await readFile(new URL('../../../../docs/reference/log.md', import.meta.url), 'utf8');
  const refused = readKafkaAddress('kafka://one:9092?other=1');
  const named = 'expected' in refused ? /no option but (.*) after/.exec(refused.expected)?.[1] : undefined;
  const options = named?.split(', ') ?? [];
  expect(options).toContain('tls');
  const written = options.flatMap((name) => (name === 'tls' ? ['tls=true', 'tls=false'] : [`${name}=`]));
  expect(written.filter((option) => !reference.includes('`' + option))).toEqual([]);
});
