import { listings } from '../../projections/listings/index.ts';
import { collectionOf, collectionSpec } from '../../src/projecting/engine/projection.ts';
import { newVersion, type Version, type Write } from '../../src/stores/documents/port.ts';
import { project } from './documents-alone.ts';
import type { Work } from './work.ts';

/** The documents that a projector writes, in the same batches, into another collection with the same indexes: no log and no fold. */
export const bare: Work = async (parts) => {
  // As text, in bytes: as objects they would take too much memory.
  const batches: (readonly { readonly id: string; readonly body: Buffer }[])[] = [];
  await project(parts, 'recorded', (writes) => {
    batches.push(writes.map(({ id, body }) => ({ id, body: Buffer.from(JSON.stringify(body)) })));
  });
  const projection = { ...listings, build: 'bare' };
  await parts.documents.declare(collectionSpec(projection));
  return async () => {
    const versions = new Map<string, Version>();
    let [documents, tookMs, cpuMs] = [0, 0, 0];
    for (const batch of batches) {
      const writes = batch.map(({ id, body }): Write<unknown> => {
        const version = newVersion();
        const read = versions.get(id) ?? null;
        versions.set(id, version);
        return { id, read, version, body: JSON.parse(body.toString()) };
      });
      const [began, before] = [performance.now(), process.cpuUsage()];
      const outcomes = await parts.documents.write(collectionOf(projection), writes);
      const { user, system } = process.cpuUsage(before);
      tookMs += performance.now() - began;
      cpuMs += (user + system) / 1000;
      if (outcomes.some((outcome) => outcome !== 'done')) throw new Error('somebody else writes there');
      documents += writes.length;
    }
    // The writes alone, without what makes bodies of text.
    return { events: 0, documents, tookMs, cpuMs };
  };
};
