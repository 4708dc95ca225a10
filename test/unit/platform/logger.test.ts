import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { newKey } from '../../../src/access/keys/key-format.ts';
import { createLogger } from '../../../src/platform/logger.ts';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): readonly string[] {
  const lines: string[] = [];
  write(createLogger('trace', 'test', { write: (line) => void lines.push(line) }));
  return lines;
}

describe('a line', () => {
  test('is one JSON object that names its time, level, process and message', () => {
    const [line] = logged((logger) => logger.warn({ index: 'listings@1' }, 'something'));
    expect(JSON.parse(String(line))).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-.+Z$/) as string,
      process: 'test',
      pid: process.pid,
      index: 'listings@1',
      msg: 'something',
    });
  });

  test.each([
    'two\r\nlines',
    '\u001b[2J',
    'a\u009b31mb',
    'NUL \0',
    'next\u0085line',
    '\u2028',
    'right \u202e to left \u2066',
    '\u007f',
  ])('stays one line in which %j moves no cursor', (hostile) => {
    const [line, ...others] = logged((logger) =>
      logger.info({ reason: hostile, err: new Error(hostile) }, hostile),
    );
    expect(others).toEqual([]);
    expect(String(line).slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect((JSON.parse(String(line)) as { readonly reason: string }).reason).toBe(hostile);
  });
});

describe('no line holds', () => {
  const key = newKey();

  test.each([
    ['a key in the message', (on: ReturnType<typeof createLogger>) => on.info(`a key: ${key}.`)],
    ['a key in a field of any name', (on) => on.info({ title: key }, 'x')],
    ['a key deep inside', (on) => on.info({ a: { b: [{ c: `?token=${key}&x` }] } }, 'x')],
    ['a key as a name', (on) => on.info({ [key]: 1 }, 'x')],
    [
      'a key in an error, its stack and its cause',
      (on) => on.error({ err: new Error(key, { cause: new Error(key) }) }, 'x'),
    ],
    ['a key that was cut short', (on) => on.info(key.slice(0, 20))],
    ['two of them', (on) => on.info(`${key}${key} ${key}`)],
  ] as readonly [string, (on: ReturnType<typeof createLogger>) => void][])('%s', (_what, write) => {
    const all = logged(write).join('');
    expect(all).toContain('[redacted]');
    expect(all).not.toContain(key.slice(9, 20));
    expect(() => JSON.parse(all) as unknown).not.toThrow();
  });

  test('the credentials of a URL', () => {
    const [line] = logged((logger) =>
      logger.warn({ reason: 'mongodb://reader:s3cret@db:27017/x is down' }, 'x'),
    );
    expect(line).toContain('mongodb://[redacted]@db:27017/x');
  });

  test.each(['key', 'x-api-key', 'authorization', 'cookie', 'password', 'pepper'])(
    'the value of a field %s',
    (name) => {
      const [line] = logged((logger) => logger.info({ headers: { [name]: 'ses"ame' }, kind: 'bot' }, 'x'));
      expect(JSON.parse(String(line))).toMatchObject({ headers: { [name]: '[redacted]' }, kind: 'bot' });
    },
  );
});

const MODULES = pathToFileURL(join(import.meta.dirname, '../../../src/platform')).href;

/** Says its lines when it is told to stop. */
const UNTIL_STOPPED = `
  using stop = stopSignal();
  const alive = setInterval(() => undefined, 1000);
  process.stdout.write('ready');
  await once(stop, 'abort');
  say(1001);
  clearInterval(alive);`;

/** A process that logs. */
function logging(body: string): ChildProcess {
  const script = `
    import { createLogger } from '${MODULES}/logger.ts';
    import { once } from 'node:events';
    import { stopSignal } from '${MODULES}/stop-signal.ts';
    const logger = createLogger('info', 'child');
    const say = (count) => { for (let i = 0; i < count; i += 1) logger.info({ i }, 'line'); };
    ${body}`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ready(child: ChildProcess): Promise<void> {
  if (child.stdout) await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
}

async function linesOf(child: ChildProcess): Promise<number> {
  if (!child.stderr) throw new Error('There is no pipe');
  const all = await text(child.stderr);
  return all.split('\n').filter((line) => line.endsWith('"msg":"line"}')).length;
}

describe('a process loses no line', () => {
  test.each([
    ['that comes to its end', 'say(1001);'],
    ['that is told to exit', 'say(1001); process.exit(1);'],
    ['that says more while it exits', 'process.on("exit", () => say(1)); say(1000); process.exit(1);'],
    ['that is killed', 'say(1001); process.kill(process.pid, "SIGKILL");'],
    ['that breaks', 'say(1001); setImmediate(() => { throw new Error("broken"); });'],
    ['whose promise nobody waits for breaks', 'say(1001); void Promise.reject(new Error("broken"));'],
  ])('%s', async (_how, body) => {
    expect(await linesOf(logging(body))).toBe(1001);
  });

  test('that is stopped by a signal, the last ones included', async () => {
    const child = logging(UNTIL_STOPPED);
    await ready(child);
    child.kill('SIGTERM');
    expect(await linesOf(child)).toBe(1001);
  });
});

test('a process whose lines nobody reads any more comes to its end all the same', async () => {
  const child = logging(UNTIL_STOPPED);
  await ready(child);
  child.stderr?.destroy();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
