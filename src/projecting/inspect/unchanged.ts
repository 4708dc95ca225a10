import type { Log } from '../../events/log/port.ts';
import type { Documents } from '../../stores/documents/port.ts';

/** What says whether anything was written to the log, or to these collections; undefined where a store does not tell. */
export function generationOf(
  {
    log,
    documents,
  }: { readonly log?: Pick<Log, 'generation'>; readonly documents: Pick<Documents, 'arrivals'> },
  collections: readonly string[],
): string | undefined {
  const generations = collections.map((name) => documents.arrivals?.of(name).look());
  if (log) generations.push(log.generation?.());
  return generations.includes(undefined) ? undefined : generations.join(' ');
}

/** Reads again only what may have changed: the last answer stands for as long as `generation` says the same. */
export function whileUnchanged<T>(
  generation: () => string | undefined,
  read: () => Promise<T>,
): () => Promise<T> {
  let known: { readonly since: string; readonly answer: T } | null = null;
  return async () => {
    // Before it is read: what is written meanwhile is read the next time.
    const since = generation();
    if (known !== null && known.since === since) return known.answer;
    const answer = await read();
    known = since === undefined ? null : { since, answer };
    return answer;
  };
}
