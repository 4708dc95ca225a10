import { isIPv4, isIPv6 } from 'node:net';

/**
 * What an address is counted by. Whoever has one address of IPv6 has the 2^64 beside it, too. Whatever is no address is
 * one group: limits are never switched off by what they cannot read.
 */
export function groupOf(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (!isIPv6(plain)) return isIPv4(plain) ? plain : 'unknown';
  // In one spelling, of the many that an address has (RFC 5952).
  const [before = '', after] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail];
  const first = groups.slice(0, 4).join(':');
  if (first !== '0:0:0:0' || groups[4] !== '0' || groups[5] !== 'ffff') return first;
  // An address of IPv4 in that of IPv6 (RFC 4291, section 2.5.5.2).
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
