import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { linesOf } from '../../../../src/operations/publish/lines.ts';
import { UsageError } from '../../../../src/platform/errors.ts';
import { temporaryFolder } from '../../../support/folder.ts';

const never = new AbortController().signal;

function fileOf(content: string | Uint8Array): string {
  const path = join(temporaryFolder(), 'events.ndjson');
  writeFileSync(path, content);
  return path;
}

/** Line numbers and texts; one character for each byte. */
async function linesIn(content: string | Uint8Array): Promise<readonly (readonly [string, string])[]> {
  const file = fileOf(content);
  const lines = await Array.fromAsync(linesOf([file], never));
  return lines.map(({ where, bytes }) => [
    where.slice(file.length + 1),
    Buffer.from(bytes).toString('latin1'),
  ]);
}

describe('the lines of a file', () => {
  test('end in a line feed, or in a carriage return and one; the last may end with the file', async () => {
    expect(await linesIn('a\nb\r\nc')).toEqual([
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'c'],
    ]);
    expect(await linesIn('')).toEqual([]);
  });

  test('are not read from a pipe or a device, which would be empty the second time', async () => {
    const lines = Array.fromAsync(linesOf(['/dev/null'], never));
    await expect(lines).rejects.toThrow('/dev/null is no regular file.');
  });

  test('are numbered with the blank ones, which are left out', async () => {
    expect(await linesIn('\n \t\r\na\n\n')).toEqual([['3', 'a']]);
  });

  test('are not cut at what JSON allows inside a text', async () => {
    const text = '{"en":"a\u2028b\u2029c\u0085d"}';
    expect(await linesIn(`${text}\n`)).toEqual([['1', Buffer.from(text).toString('latin1')]]);
  });

  test('are the bytes of the file: nothing that is no UTF-8 is replaced', async () => {
    expect(await linesIn(Uint8Array.of(0xcd, 0xee, 0x0a, 0xff, 0xfe))).toEqual([
      ['1', '\xcd\xee'],
      ['2', '\xff\xfe'],
    ]);
  });

  test('begin after a byte order mark, where the file has one', async () => {
    expect(await linesIn('\ufeffa\n\ufeffb')).toEqual([
      ['1', 'a'],
      ['2', '\xef\xbb\xbfb'],
    ]);
  });

  test('are whole wherever the file is read in pieces', async () => {
    const long = 'x'.repeat(100_000);
    expect(await linesIn(`${long}\n${long}1\n`)).toEqual([
      ['1', long],
      ['2', `${long}1`],
    ]);
  });

  test('are kept no further than shows that a record is too large for them', async () => {
    const [first, second] = await linesIn(`${' '.repeat(10_000_000)}\nb`);
    expect(first?.[1].length).toBe(256 * 1024 + 2);
    expect(second).toEqual(['2', 'b']);
  });
});

test('a file that cannot be read is named, and so is one that fails halfway', async () => {
  const read = (file: string) => Array.fromAsync(linesOf([file], never));
  await expect(read('/no/such/file')).rejects.toThrow(
    new UsageError('There is no file /no/such/file. Give NDJSON files, or "-" for standard input.'),
  );
  // It can be opened, and not be read at its beginning.
  await expect(read('/proc/self/mem')).rejects.toThrow('/proc/self/mem cannot be read: ');
  await expect(read('/')).rejects.toThrow(UsageError);
});

test('standard input is read once', async () => {
  await expect(Array.fromAsync(linesOf(['-', '-'], never))).rejects.toThrow('give one "-"');
});

test('an aborted signal ends the lines, and is no error', async () => {
  const stopping = new AbortController();
  const places: string[] = [];
  for await (const { where } of linesOf([fileOf('a\n'.repeat(100_000))], stopping.signal)) {
    places.push(where);
    stopping.abort();
  }
  expect(places.length).toBeGreaterThan(0);
  expect(places.length).toBeLessThan(100_000);
});
