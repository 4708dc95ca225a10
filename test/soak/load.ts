import { createRandom } from '../../src/sample/random.ts';
import { openConnection } from '../../bench/load/connection.ts';
import { beHostile } from './hostile.ts';
import { nextRequest, remember, type Mix } from './requests.ts';

/** A process that does nothing but send requests: good, wrong and hostile ones. */

export type ToLoad =
  | Setup
  | { readonly kind: 'keys'; readonly keys: readonly string[] }
  | { readonly kind: 'end' };

export interface Setup {
  readonly kind: 'setup';
  readonly port: number;
  readonly keys: readonly string[];
  readonly slugs: readonly string[];
  readonly assets: readonly string[];
  /** The largest of them. */
  readonly largest: string;
}

/** Since the beginning. */
export interface Progress {
  readonly requests: number;
  /** Requests whose connection ended before the answer. */
  readonly broken: number;
  readonly statuses: Readonly<Record<number, number>>;
  readonly keysLeft: number;
}

const AT_ONCE = 32;
/** A key with less than this is handed back for a fresh one: what is measured is not the refusal. */
const LEAST_LEFT = AT_ONCE * 2;
const TOLD_EVERY_MS = 1000;

const fresh: string[] = [];
let isOver = false;
const statuses = new Map<number, number>();
let requests = 0;
let broken = 0;

process.on('message', (message: ToLoad) => {
  if (message.kind === 'keys') fresh.push(...message.keys);
  if (message.kind === 'end') isOver = true;
  if (message.kind === 'setup') void run(message).then(() => process.disconnect?.());
});
process.on('disconnect', () => process.exit(0));

async function run(setup: Setup): Promise<void> {
  const { port, slugs, assets, largest } = setup;
  fresh.push(...setup.keys);
  let key = fresh.pop() ?? '';
  const tags = new Map<string, string>();
  const random = createRandom('soak');
  const telling = setInterval(tell, TOLD_EVERY_MS);

  const one = async (): Promise<void> => {
    let connection = openConnection(port);
    while (!isOver) {
      const mix: Mix = { key, slugs, assets, tags, random };
      const asked = nextRequest(mix);
      if (!connection.isOpen()) connection = openConnection(port);
      const answer = Promise.withResolvers<string>();
      connection.ask(Buffer.from(asked.bytes, 'latin1'), (answered, text) =>
        answer.resolve(answered === 0 ? '' : text),
      );
      const head = await answer.promise;
      if (head === '') {
        broken += 1;
        continue;
      }
      const status = Number(head.slice(9, 12));
      count(status);
      if (/\r\nconnection: close/i.test(head)) connection.close();
      const etag = /\r\netag: (\S+)/i.exec(head)?.[1];
      if (status === 200 && etag !== undefined && asked.isCounted) remember(tags, asked.path, etag);
      const left = Number(/\r\nx-ratelimit-remaining: (\d+)/i.exec(head)?.[1] ?? 0);
      const isUsedUp = asked.isCounted && status < 500 && left < LEAST_LEFT;
      if (isUsedUp && mix.key === key) key = fresh.pop() ?? key;
    }
    connection.close();
  };
  const hostile = beHostile({ port, key, asset: largest }, () => isOver);
  await Promise.all([hostile, ...Array.from({ length: AT_ONCE }, one)]);
  clearInterval(telling);
  tell();
}

function count(status: number): void {
  requests += 1;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

function tell(): void {
  const progress: Progress = {
    requests,
    broken,
    statuses: Object.fromEntries(statuses),
    keysLeft: fresh.length,
  };
  process.send?.(progress);
}
