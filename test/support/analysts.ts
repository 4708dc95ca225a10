import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ensureTopics } from '../../src/compose/projector.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import { structuredRecord } from '../../src/events/event-types.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { collectionSpec } from '../../src/projecting/engine/projection.ts';
import { listings } from '../../projections/listings/index.ts';
import { LISTINGS } from './collections.ts';
import { categoryDefined, measured, probed, published, targetDefined, unpublished } from './events.ts';
import { temporaryFolder } from './folder.ts';
import { FIRST } from './monitor.ts';
import { foldEvents, openFolded } from './read-models.ts';
import { openParts } from './parts.ts';

/** An escape sequence, a line of ours that is forged, a quote and a comma. */
export const HOSTILE_TITLE = 'Ha\u202e"x", \u200dy';

export const SHADOW = `${LISTINGS}-weights`;

const EVENTS: readonly CloudEvent[] = [
  published({
    subject: 'alpha',
    title: { en: HOSTILE_TITLE },
    tags: ['a,b', 'c'],
    description: { en: 'first\nsecond' },
  }),
  published({ subject: 'beta', kind: 'bot', username: 'beta_bot', title: { en: 'Beta' } }),
  published({ subject: 'gone', title: { en: 'Gone' } }),
  unpublished({ subject: 'gone', reason: 'policy' }),
  measured({ subject: 'alpha', measured_at: '2026-11-18T09:00:00Z', subscribers: 900 }),
  measured({ subject: 'alpha', measured_at: '2026-11-20T09:00:00.250Z', subscribers: 1000 }),
  measured({ subject: 'beta', kind: 'bot', monthly_users: 77 }),
  measured({ subject: 'never-published' }),
  categoryDefined(),
  targetDefined(),
  probed({ vantage_point: 'eu-1', latency_ms: 120.5 }),
  probed({ vantage_point: 'us-1', result: 'slow', latency_ms: 3000 }),
  probed({ vantage_point: 'ap-1', result: 'fail', latency_ms: null, cause: 'dns' }),
  targetDefined({ subject: 'web' }),
  // It answers nobody for six minutes of twelve.
  ...Array.from({ length: 12 }, (_, index) => {
    const failing = index < 6 ? { result: 'fail', latency_ms: null, cause: 'tls' } : {};
    return probed({ subject: 'web', round: FIRST + index, ...failing });
  }),
];

/** An installation for analysts: a few entries, a shadow, probes, and a log with a record that is no event. */
export async function openAnalysed() {
  const folder = temporaryFolder();
  const env = { CATALOG_DATA: folder };
  const parts = await openParts(env);
  await ensureTopics(parts);
  await (await openFolded(parts.documents, parts.search, systemClock)).fold(...EVENTS);
  const shadow = { ...listings, build: 'weights' };
  await parts.documents.declare(collectionSpec(shadow));
  await foldEvents(parts.documents, shadow, [published({ subject: 'shadowy', title: { en: 'Shadowy' } })]);
  const broken = { topic: 'catalog.entries', key: 'odd', value: Buffer.from('{"a'), headers: {} };
  await parts.log.append([...EVENTS.map(structuredRecord), broken]);
  writeFileSync(join(folder, 'canary'), 'canary,of,the,folder\n');
  return { folder, env, parts, [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose]() };
}
