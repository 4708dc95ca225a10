import { withKeys } from '../keys.ts';
import { partOf } from './apart.ts';
import { keyColumn } from './expressions.ts';
import type { Reading, ReadingSql } from './tables.ts';

/**
 * Reads keys of bodies alone: from the columns of these keys where each has one, else out of whole bodies. `statements` are those
 * that select an id, its version and the columns that are named. Callers ask for few lists of keys, so what is made for them stays.
 */
export function createParts(
  whole: Reading,
  apart: readonly string[],
  statements: (columns: readonly string[]) => ReadingSql,
): (keys: readonly string[]) => Reading {
  const known = new Map<string, Reading>();
  return (keys) => {
    const name = JSON.stringify(keys);
    const reading = known.get(name) ?? make(keys);
    known.set(name, reading);
    return reading;
  };

  function make(keys: readonly string[]): Reading {
    if (!keys.every((key) => apart.includes(key))) {
      return { ...whole, storedOf: (row) => withKeys(whole.storedOf(row), keys) };
    }
    return {
      ...statements(keys.map(keyColumn)),
      storedOf: ([id, version, ...values]) => ({
        id: String(id),
        version: String(version),
        body: partOf(keys, values),
      }),
    };
  }
}
