import { newVersion, type Documents } from '../../src/stores/documents/port.ts';
import { SAMPLE, SAMPLE_CATALOG } from '../../src/stores/sample-sign.ts';

/** Says that these documents are those of the sample, as `start` does before it appends it. */
export async function sayServed(documents: Pick<Documents, 'declare' | 'write'>): Promise<void> {
  await documents.declare(SAMPLE);
  await documents.write(SAMPLE.name, [{ id: SAMPLE_CATALOG, read: null, version: newVersion(), body: {} }]);
}
