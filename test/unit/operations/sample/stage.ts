import { onTestFinished } from 'vitest';

import type { Parts } from '../../../../src/compose/parts.ts';
import { ensureTopics } from '../../../../src/compose/projector.ts';
import type { Clock } from '../../../../src/platform/time/clock.ts';
import { readSample } from '../../../../src/operations/sample/publish.ts';
import { openParts } from '../../../support/parts.ts';

/** The parts of a catalog in this folder, with its topics and the collection of the sample, until the test is over. */
export async function openCatalog(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  given: { readonly clock?: Clock } = {},
): Promise<Parts> {
  const opened = await openParts({ CATALOG_DATA: folder, ...environment }, given);
  onTestFinished(() => opened[Symbol.asyncDispose]());
  await ensureTopics(opened);
  await readSample(opened.documents);
  return opened;
}

/** The probes in the log: which event each is, and of which round, the rounds ascending. */
export async function probesIn({
  log,
}: Parts): Promise<{ readonly ids: string[]; readonly rounds: number[] }> {
  const probes: { readonly id: string; readonly data: { readonly round: number } }[] = [];
  for (const { partition, earliest: from, latest: to } of await log.ends('monitor.probes'))
    for await (const batch of log.read({ topic: 'monitor.probes', partition, from, to }))
      for (const { value } of batch.records)
        probes.push(JSON.parse(Buffer.from(value ?? []).toString()) as (typeof probes)[number]);
  return {
    ids: probes.map(({ id }) => id),
    rounds: probes.map(({ data }) => data.round).sort((a, b) => a - b),
  };
}
