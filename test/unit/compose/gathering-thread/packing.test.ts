import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { pack, unpack } from '../../../../src/compose/gathering-thread/packing.ts';

const place = { topic: 'catalog.entries', partition: 3 };
const headers = fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 });
const records = fc
  .array(
    fc.record({
      position: fc.maxSafeNat(),
      timestamp: fc.nat(),
      key: fc.option(fc.string()),
      headers,
      value: fc.option(fc.uint8Array({ maxLength: 20 })),
    }),
    { maxLength: 10 },
  )
  .map((some) => some.map((one) => ({ ...place, ...one })));

test('records are the same on the other side, empty values, tombstones and binary ones too', () => {
  fc.assert(
    fc.property(records, fc.maxSafeNat(), (some, next) => {
      expect(unpack(structuredClone(pack({ records: some, next })))).toEqual({
        records: some,
        unreadable: [],
        next,
      });
    }),
  );
});

test('ranges that the log cannot read go with them', () => {
  const unreadable = [
    {
      ...place,
      from: 4,
      to: 7,
      timestamp: 1,
      code: 'unreadable',
      reason: 'damaged',
      bytes: new Uint8Array([1]),
    },
  ] as const;
  expect(unpack(structuredClone(pack({ records: [], unreadable, next: 8 })))).toEqual({
    records: [],
    unreadable,
    next: 8,
  });
});
