import type { Scalar } from '../../src/stores/documents/port.ts';

/** Values of every type under one path, and of the same path missing or not scalar in its place. */
export const TYPED: Readonly<Record<string, Readonly<Record<string, Scalar>>>> = {
  missing: {},
  null: { v: null },
  zero: { v: 0 },
  one: { v: 1 },
  half: { v: 0.5 },
  negative: { v: -3 },
  large: { v: Number.MAX_SAFE_INTEGER },
  empty: { v: '' },
  digit: { v: '1' },
  text: { v: 'it\'s "quoted" -- %_\\ \0 end' },
  yes: { v: true },
  no: { v: false },
};
