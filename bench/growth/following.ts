import { compose, type Parts } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { publishLater } from '../beside-rebuild/later-events.ts';
import type { Entry } from '../filling.ts';
import { startAsking, type Grown } from './grown.ts';

/** Of those that ask for the top and the categories while entries change, and of the changes. */
const REQUESTS_PER_SECOND = 5;
const CHANGES_PER_SECOND = 10;
const FOLLOWED_MS = 20_000;

/** What following changes costs the API beyond the same requests without them, as a share of a core. */
export async function followingShare({ installation, api, entries }: Grown): Promise<number> {
  const projector = installation.start(['project']);
  await projector.printed('Projecting.');
  await using parts = await compose(readConfig(installation.env), 'bench');
  using asking = startAsking(api, ['/top?limit=100', '/categories']);
  const cpuMs = async (): Promise<number> => {
    const before = (await api.used()).cpuMs;
    await asking.run({ perSecond: REQUESTS_PER_SECOND }, FOLLOWED_MS);
    return (await api.used()).cpuMs - before;
  };
  const still = await cpuMs();
  const ended = new AbortController();
  const [changed] = await Promise.all([
    cpuMs().finally(() => ended.abort()),
    changeEachSecond(parts, entries.slice(0, CHANGES_PER_SECOND), ended.signal),
  ]);
  await projector.stop();
  return Math.max(0, changed - still) / FOLLOWED_MS;
}

async function changeEachSecond(parts: Parts, entries: readonly Entry[], signal: AbortSignal): Promise<void> {
  const began = performance.now();
  for (let round = 1; ; round += 1) {
    await systemClock.sleep(began + round * 1000 - performance.now(), signal);
    if (signal.aborted) return;
    await publishLater(parts, entries, round);
  }
}
