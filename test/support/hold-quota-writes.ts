import type { RunningApi } from './api.ts';

/** Makes the quota's writes wait, until the function that it returns is called. */
export function holdQuotaWrites({ documents }: Pick<RunningApi, 'documents'>): () => void {
  const write = documents.write.bind(documents);
  const gate = Promise.withResolvers<void>();
  const held: typeof write = async (collection, writes) => {
    if (collection === 'quota') await gate.promise;
    return await write(collection, writes);
  };
  Object.assign(documents, { write: held });
  return () => {
    gate.resolve();
    Object.assign(documents, { write });
  };
}
