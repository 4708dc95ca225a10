import { StoppedError } from '../../projecting/engine/retry.ts';
import { isContainer } from '../../platform/json-value.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { at, rowOf } from '../column.ts';
import { definitionOf, type SqlView } from '../sql-view.ts';

/** The views that are made of documents. Other versions have other registers and views: both are read leniently. */

type ViewName = Parameters<typeof definitionOf>[0];

/** `itemsOf`: what the rows of one document are made of. */
function documentView(name: ViewName, itemsOf: (id: string, body: unknown) => readonly object[]): SqlView {
  const definition = definitionOf(name);
  const toRow = rowOf(definition.columns);
  return {
    ...definition,
    size: async ({ documents }, collection) => {
      const [all] = await documents.count(collection, { where: {}, by: [] });
      return all?.count ?? 0;
    },
    async *batches({ documents, signal }, collection) {
      for await (const batch of documents.scan(collection)) {
        if (signal.aborted) throw new StoppedError('stopped');
        const items = batch.flatMap(({ id, body }) => itemsOf(id, body));
        yield { read: batch.length, rows: items.map(toRow) };
      }
    },
  };
}

/** The entries that readers see, with the fields that analysts ask for most; the rest stands in `view`. */
export const listings = documentView('listings', (id, body) =>
  at(body, 'view.published') === true ? [{ id, view: at(body, 'view') }] : [],
);

/** The audience of every published entry, day by day. */
export const metrics = documentView('metrics', (id, body) => {
  const history = at(body, 'view.metrics.history');
  return Array.isArray(history) ? history.map((measured: unknown) => ({ id, body, measured })) : [];
});

/** The categories that are defined; the tree follows from `parent`. */
export const categories = documentView('categories', itemIfDefined);

export const targets = documentView('targets', itemIfDefined);

function itemIfDefined(id: string, body: unknown): readonly object[] {
  return at(body, 'view.defined') === true ? [{ id, body }] : [];
}

/**
 * The probes of a stored hour, as they were received: the registers have their latencies in full, the view rounds them. None,
 * where the document is that of a target.
 */
export const probes = documentView('probes', (id, body) => {
  const [target = id] = id.split('/', 1);
  return entriesOf(at(body, 'registers.probes')).flatMap(([round, points]) =>
    entriesOf(points).flatMap(([point, written]) => {
      const value = at(written, 'value');
      return value ? [{ target, round: toInstant(Number(round) * MINUTE_MS), point, value }] : [];
    }),
  );
});

const MINUTE_MS = 60_000;

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isContainer(value) ? Object.entries(value) : [];
}
