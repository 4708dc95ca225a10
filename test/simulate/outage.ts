import { createObserver } from './honest-health.ts';
import { failIfBroken, assignAll, membersOf, start, type Actor, type Stage } from './stage.ts';
import { publish } from './storm.ts';

/*
 * Between the storm and the heal, now and then: one kind of failure, and nothing else, for longer than anybody may stand
 * still without a word. A worker that has just been given every lane must say that it is not ready.
 */

const OUTAGE_MS = 40_000;
const JOINED_MS = 60_000;

export async function outage(stage: Stage): Promise<void> {
  const { world, log, documents, actors } = stage;
  if (stage.isBlind || world.chance(0.5)) return;
  world.faults = 0;
  const kind = world.pick(['read only', 'nameless', 'unknown']);
  const fresh = await startAlone(stage);
  if (!fresh) return;
  world.happen(`outage: ${kind}`);
  const until = world.now() + OUTAGE_MS;
  if (kind === 'read only') documents.readOnlyUntil = until;
  else if (kind === 'nameless') documents.namelessUntil = until;
  else for (const topic of ['notes', 'marks']) log.hidden.set(topic, { until, as: 'unknown' });
  for (const actor of actors) for (const member of membersOf(stage, actor)) member.revokeAll();
  publish(stage);
  publish(stage);
  assignAll(stage, fresh);
  const observer = createObserver();
  await world.until(() => {
    observer.check(stage);
    return stage.broken.length > 0;
  }, OUTAGE_MS);
  failIfBroken(stage);
}

/** A worker that has claimed nothing yet. */
async function startAlone(stage: Stage): Promise<Actor | null> {
  const { world, log, documents } = stage;
  documents.namelessUntil = 0;
  documents.readOnlyUntil = 0;
  log.hidden.clear();
  const fresh = start(stage);
  return (await world.until(() => fresh.hasStarted, JOINED_MS)) ? fresh : null;
}
