import type { Sources } from '../analysis/view.ts';
import type { Shown } from '../analysis/views.ts';
import { Stopped } from '../projecting/engine/retry.ts';
import type { Work } from './command.ts';
import { writeLinesTo, writeWhole } from './data-file.ts';
import { printBatches } from './output.ts';
import { showProgress, type Progress } from './progress.ts';

/** What commands for analysts share: what views are read from, and where rows go. */

export function sourcesOf({ parts, signal }: Work): Sources {
  const { projections, topicName } = parts;
  const topics = [...new Set(projections.flatMap((projection) => projection.topics))].map(topicName);
  return {
    // Each is opened when it is read: a question about documents needs no log.
    get documents() {
      return parts.documents;
    },
    get log() {
      return parts.log;
    },
    topics,
    signal,
  };
}

/** Progress over the items of a view: documents, or records. */
export async function showReading(
  { view, collection }: Shown,
  sources: Sources,
): Promise<Disposable & { advance(items: number): void }> {
  const total = await view.size(sources, collection);
  const what = view.readModel === null ? 'records read' : 'documents read';
  const progress: Progress = showProgress(what);
  let read = 0;
  return {
    advance: (items) => {
      read += items;
      progress.update(read, Math.max(total, read));
    },
    [Symbol.dispose]: () => progress[Symbol.dispose](),
  };
}

export interface FileOptions {
  readonly out?: string;
  readonly force?: boolean;
}

/** Lines to the file that was named, exactly; else to standard output. */
export async function deliver(
  batches: AsyncIterable<readonly string[]>,
  { out, force = false }: FileOptions,
  signal: AbortSignal,
): Promise<void> {
  if (out !== undefined) return writeWhole(out, { force }, (part) => writeLinesTo(part, batches));
  if ((await printBatches(batches, signal)) === 'stopped') throw new Stopped('stopped');
}
