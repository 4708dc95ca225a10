import type { IncomingMessage } from 'node:http';

import { describe, expect, test } from 'vitest';

import { callerAddress } from '../../../../src/api/http/caller-address.ts';
import { words } from '../../../support/words.ts';

const PROXIES = new Set(['10.0.0.1', '10.0.0.2']);

function addressOf(headers: IncomingMessage['headers'], remoteAddress = '10.0.0.1'): string {
  const request = { headers, socket: { remoteAddress } } as Pick<IncomingMessage, 'headers' | 'socket'>;
  return callerAddress(request, (address) => PROXIES.has(address));
}

test.each([
  ['203.0.113.8', '203.0.113.8'],
  ['203.0.113.8:50001', '203.0.113.8'],
  ['"203.0.113.8:50001"', '203.0.113.8'],
  ['2001:db8::8', '2001:db8::8'],
  ['[2001:db8::8]', '2001:db8::8'],
  ['[2001:db8::8]:50001', '2001:db8::8'],
  ['"[2001:db8::8]:50001"', '2001:db8::8'],
  ['::ffff:203.0.113.8', '::ffff:203.0.113.8'],
  ['[::ffff:203.0.113.8]:50001', '::ffff:203.0.113.8'],
  ['198.51.100.1, 203.0.113.8:50001', '203.0.113.8'],
  ['203.0.113.8:50001, 10.0.0.2:443', '203.0.113.8'],
  ['203.0.113.8 , , 10.0.0.2 ,', '203.0.113.8'],
])('what a trusted proxy says in X-Forwarded-For: %s is %s', (header, address) => {
  expect(addressOf({ 'x-forwarded-for': header })).toBe(address);
});

describe('what a trusted proxy says in Forwarded', () => {
  test.each([
    ['for=203.0.113.8', '203.0.113.8'],
    ['For="203.0.113.8:47011"', '203.0.113.8'],
    ['for="203.0.113.8:_port"', '203.0.113.8'],
    ['for=203.0.113.8:47011;proto=https', '203.0.113.8'],
    ['proto=https;for="[2001:db8:cafe::17]:4711"; by=10.0.0.1', '2001:db8:cafe::17'],
    ['FOR="[2001:db8:cafe::17]"', '2001:db8:cafe::17'],
    [String.raw`for="203\.0\.113\.8"`, '203.0.113.8'],
    ['for=198.51.100.1, for=203.0.113.8', '203.0.113.8'],
    ['for=203.0.113.8, for=10.0.0.2;by=10.0.0.1', '203.0.113.8'],
    ['for=203.0.113.8;host="a;for=198.51.100.1,for=198.51.100.2"', '203.0.113.8'],
  ])('%s is %s', (header, address) => {
    expect(addressOf({ forwarded: header })).toBe(address);
  });

  test('counts only where there is no X-Forwarded-For', () => {
    expect(addressOf({ 'x-forwarded-for': '203.0.113.8', forwarded: 'for=198.51.100.1' })).toBe(
      '203.0.113.8',
    );
  });
});

describe('what is no address counts as the proxy that says it', () => {
  test.each([
    ...words('unknown _hidden _a1b2c3:8080 caller-17 203.0.113 203.0.113.8:port 203.0.113.8:500010'),
    ...words('203.0.113.256 [203.0.113.8]:80 [2001:db8::8 2001:db8::8]:80'),
    '',
    '198.51.100.1, unknown',
  ])('%j', (node) => {
    expect(addressOf({ 'x-forwarded-for': node })).toBe('10.0.0.1');
    expect(addressOf({ forwarded: `for="${node}"` })).toBe('10.0.0.1');
    expect(addressOf({ 'x-forwarded-for': `${node}, 10.0.0.2` })).toBe('10.0.0.2');
  });

  test.each([
    'by=203.0.113.8',
    'for=',
    '203.0.113.8',
    'for="203.0.113.8',
    // A caller sent all but the last element, which the proxy has added.
    'for=198.51.100.1;x=", for=203.0.113.8',
    'for=198.51.100.1;x=", for="203.0.113.8"',
    'for=198.51.100.1;x=", for="203.0.113.8";by="10.0.0.1"',
  ])('a Forwarded of %s', (forwarded) => {
    expect(addressOf({ forwarded })).toBe('10.0.0.1');
  });
});

test('what a stranger says of itself counts for nothing', () => {
  const headers = { 'x-forwarded-for': '203.0.113.8', forwarded: 'for=203.0.113.8' };
  expect(addressOf(headers, '192.0.2.1')).toBe('192.0.2.1');
});
