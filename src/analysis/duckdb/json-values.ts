import type { Json } from '../../platform/json-value.ts';
import type { Convert, DuckDb } from './load-module.ts';

/**
 * Values of a result as JSON. A number that JSON's readers may round (an integer past 2^53, a decimal with more than 15
 * digits) becomes text; instants are RFC 3339 in UTC, and a TIMESTAMP without a zone has the same form without `Z`; lists,
 * structs and maps keep their form.
 */
export function toJson(duckdb: DuckDb): Convert<Json> {
  const { DuckDBTypeId: ids, JsonDuckDBValueConverter: general } = duckdb;
  const integers = new Set(['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT', 'BIGNUM'].map((name) => ids[name]));
  const local = ['TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS'];
  const zones = new Map([...local.map((name) => [ids[name], ''] as const), [ids['TIMESTAMP_TZ'], 'Z']]);
  const convert: Convert<Json> = (value, type, inner) => {
    if (value === null || value === undefined) return null;
    if (integers.has(type.typeId)) return exact(String(value));
    if (type.typeId === ids['DECIMAL']) return exact(String(value));
    const zone = zones.get(type.typeId);
    if (zone !== undefined) return instant(String(value), zone);
    return general(value, type, inner);
  };
  return convert;
}

function exact(text: string): number | string {
  const digits = text.replace(/^-|\./g, '');
  const value = Number(text);
  if (Number.isSafeInteger(value) || (text.includes('.') && digits.length <= 15)) return value;
  return text;
}

/** From `2026-11-20 10:00:00.5+00`, with milliseconds at least; one that is none (`infinity`) stays as it is. */
function instant(text: string, zone: string): string {
  const [, day, time, fraction = ''] = /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?(?:\+00)?$/.exec(text) ?? [];
  return day === undefined || time === undefined ? text : `${day}T${time}.${fraction.padEnd(3, '0')}${zone}`;
}
