import { createRandom } from '../../src/sample/random.ts';
import { beHostile } from './hostile.ts';
import type { Progress, Setup, ToLoad } from './messages.ts';
import { nextRequest, remember, type Mix } from './requests.ts';
import { createWireClient } from './wire-client.ts';

/** A process that does nothing but send requests: good, wrong and hostile ones. */

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
    const client = createWireClient(port);
    while (!isOver) {
      const mix: Mix = { key, slugs, assets, tags, random };
      const asked = nextRequest(mix);
      try {
        const head = await client.ask(asked.bytes);
        count(head.status);
        if (head.status === 200 && head.etag !== null && asked.isCounted)
          remember(tags, asked.path, head.etag);
        const isUsedUp = asked.isCounted && head.status < 500 && head.remaining < LEAST_LEFT;
        if (isUsedUp && mix.key === key) key = fresh.pop() ?? key;
      } catch {
        broken += 1;
      }
    }
    client.close();
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
