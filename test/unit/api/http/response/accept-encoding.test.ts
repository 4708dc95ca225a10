import { describe, expect, test } from 'vitest';

import { readAcceptEncoding } from '../../../../../src/api/http/response/accept-encoding.ts';

describe('Accept-Encoding, as RFC 9110 reads it', () => {
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['deflate, zstd', null],
    ['identity', null],
    ['', null],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', null],
    ['*;q=0, gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0', null],
    ['gzip;q=0, br;q=0.000', null],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['Br ; q=1.000', 'br'],
    // The greatest weight wins, then br before gzip before none.
    ['gzip;q=1, br;q=0.1', 'gzip'],
    ['gzip;q=0.8, br;q=0.8', 'br'],
    ['gzip, *;q=0.5', 'gzip'],
    ['identity;q=1, gzip;q=0.5', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0.5, gzip', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
  ])('%s gives %s', (header, encoding) => {
    expect(readAcceptEncoding(header)).toMatchObject({ encoding });
  });

  test.each(['gzip;q=2', 'gzip;q=-1', 'gzip;q=x', 'gzip;q=0.1234', 'gzip;level=9', 'gzip br', ';q=1', ',,'])(
    '%s is not in form, and accepts nothing',
    (header) => {
      expect(readAcceptEncoding(header)).toEqual({ encoding: null, refusesPlain: false });
      expect(readAcceptEncoding(`${header}, br`)).toMatchObject({ encoding: 'br' });
    },
  );

  test.each([
    ['gzip, identity;q=0', true],
    ['gzip, *;q=0', true],
    ['gzip, *;q=0, identity;q=0.1', false],
    ['gzip, *', false],
    ['gzip', false],
    ['identity;q=0', false],
  ])('%s refuses the plain form for another one: %s', (header, refusesPlain) => {
    expect(readAcceptEncoding(header)).toMatchObject({ refusesPlain });
  });

  test('that is not sent accepts the plain form', () => {
    expect(readAcceptEncoding(undefined)).toEqual({ encoding: null, refusesPlain: false });
  });
});
