import { setTimeout as pause } from 'node:timers/promises';

import { DAILY_LIMIT } from '../src/access/quota/quota.ts';
import { keysOfContract } from './contract/keys.ts';
import { startMeasured, type Measured } from './http/measured.ts';
import { fillCatalog } from './catalog.ts';
import { bytesOf, type Connection, openConnection } from './load/connection.ts';
import type { Request } from './load/messages.ts';
import { type Benchmark, type BenchmarkOptions, type Figure, informing, required } from './report.ts';

/**
 * Whether the quota is exact: several instances whose clocks go apart, one of which is killed every few seconds, over the end of a
 * day. Whoever asks counts what was answered, by the day that the answer says.
 */
export const exactness: Benchmark = {
  name: 'C3',
  isQuick: true,
  title: 'The quota of each key, counted by those who ask: instances are killed, clocks go apart, a day ends',
  on: 'both',
  run,
};

const INSTANCES = 4;
const APART_MS = 2000;
const KILLED_EVERY_MS = 5000;
const CONNECTIONS = 16;
/** Keys that are asked with at one time, each until it was refused so often; then another one takes its place. */
const AT_ONCE = 8;
const REFUSALS = 200;
const KEYS = 2000;
/** An instance may have held so many requests of a key when it was killed. */
const HELD = 20;
/** By the clock of the first instance, of each of the two days. */
const DAY_MS = 40_000;
const QUICK_DAY_MS = 15_000;
const HALF_A_DAY_S = 43_200;

/** What was answered to a key on one day. */
interface Day {
  granted: number;
  refused: number;
  /** Requests whose connection was closed under them: nobody knows whether they count. */
  lost: number;
  /** How many instances had been killed when it was asked for the first time, and the last time. */
  killedBefore: number;
  killedSince: number;
}

async function* run({ quick, stores, say }: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  await using stack = new AsyncDisposableStack();
  const stage = stack.use(await stores.install());
  const [entry] = await fillCatalog(stage, { entries: 300, events: 3000, say });
  const { env, keys } = await keysOfContract(stage.env, KEYS);
  const path = `/api/v1/listings/${entry?.slug}`;
  const dayMs = quick ? QUICK_DAY_MS : DAY_MS;
  const ends = new Date().setUTCHours(24, 0, 0, 0) - Date.now() - dayMs;
  const start = async (index: number): Promise<Measured> => {
    const before = ends + (APART_MS * index) / (INSTANCES - 1);
    return await startMeasured('http/ours.ts', {
      env: { ...env, PORT: '0', LOG_LEVEL: 'error' },
      arguments: ['contract', String(Math.round(before))],
    });
  };
  /** null while it is gone. */
  const instances: (Measured | null)[] = await Promise.all(
    Array.from({ length: INSTANCES }, (_, index) => start(index)),
  );
  stack.defer(async () => {
    for (const instance of instances) await instance?.[Symbol.asyncDispose]();
  });
  const days = new Map<string, Day>();
  let [killed, next] = [0, AT_ONCE];
  const asked = Array.from({ length: AT_ONCE }, (_, index) => index);
  const ended = performance.now() + 2 * dayMs;

  /** By one connection to one instance, and another one when it is back. */
  const asking = async (number: number): Promise<void> => {
    let connection: Connection | null = null;
    for (let turn = number; performance.now() < ended; turn += 1) {
      const instance = instances[number % INSTANCES] ?? null;
      if (instance === null) {
        await pause(50);
        continue;
      }
      if (!connection?.isOpen()) connection = openConnection(instance.port);
      const place = turn % AT_ONCE;
      const key = asked[place] ?? 0;
      const { status, head } = await answered(connection, {
        path,
        headers: { 'x-api-key': keys[key] ?? '' },
      });
      const day = dayOf(days, key, head, killed);
      day.killedSince = killed;
      if (status === 200) day.granted += 1;
      else if (status === 429) day.refused += 1;
      else if (status === 0) day.lost += 1;
      else if (status !== 503) throw new Error(`a request was answered with ${status}`);
      if (day.refused > REFUSALS && asked[place] === key) asked[place] = next++;
    }
    connection?.close();
  };
  const killing = async (): Promise<void> => {
    for (let index = 0; performance.now() < ended - KILLED_EVERY_MS; index = (index + 1) % INSTANCES) {
      await pause(KILLED_EVERY_MS);
      const instance = instances[index] as Measured;
      instances[index] = null;
      process.kill(instance.pid, 'SIGKILL');
      killed += 1;
      await instance[Symbol.asyncDispose]();
      instances[index] = await start(index);
      say(`${killed} killed, ${next} keys`);
    }
  };
  await Promise.all([killing(), ...Array.from({ length: CONNECTIONS }, (_, number) => asking(number))]);
  yield figuresOf([...days.values()], killed);
}

function answered(
  connection: Connection,
  request: Request,
): Promise<{ readonly status: number; readonly head: string }> {
  return new Promise((resolve) =>
    connection.ask(bytesOf(request), (status, head) => resolve({ status, head })),
  );
}

/** The day that the answer names by the seconds that are left of it; where there is no answer, the one that was named last. */
function dayOf(days: Map<string, Day>, key: number, head: string, killed: number): Day {
  const left = /ratelimit: [^\r]*;t=(\d+)/i.exec(head)?.[1];
  const isFirst = left === undefined ? !days.has(`${key}/1`) : Number(left) < HALF_A_DAY_S;
  const name = `${key}/${isFirst ? 0 : 1}`;
  const found = days.get(name) ?? {
    granted: 0,
    refused: 0,
    lost: 0,
    killedBefore: killed,
    killedSince: killed,
  };
  days.set(name, found);
  return found;
}

function figuresOf(days: readonly Day[], killed: number): readonly Figure[] {
  const sum = (of: (day: Day) => number): number => days.reduce((all, day) => all + of(day), 0);
  const usedUp = days.filter(({ refused }) => refused > 0);
  const above = days.filter(({ granted }) => granted > DAILY_LIMIT);
  const missing = ({ granted, lost, killedBefore, killedSince }: Day): number =>
    DAILY_LIMIT - granted - lost - HELD * (killedSince - killedBefore);
  const early = usedUp.filter((day) => missing(day) > 0);
  return [
    required(
      'C3: days of a key with more requests than its limit',
      String(above.length),
      'none',
      above.length === 0,
    ),
    required(
      `C3: days that ended too early, by more than ${HELD} for each instance that was killed`,
      early.length === 0 ? '0' : `${early.length}, by up to ${Math.max(...early.map(missing))}`,
      'none',
      early.length === 0,
    ),
    required('C3: days of a key that were used up', String(usedUp.length), 'some', usedUp.length > 0),
    informing(
      'requests granted / refused / lost; instances killed',
      `${sum((day) => day.granted)} / ${sum((day) => day.refused)} / ${sum((day) => day.lost)}; ${killed}`,
    ),
  ];
}
