import { isJsonObject, type JsonObject } from '../../../platform/json.ts';
import type { Projection } from '../../../projecting/engine/projection.ts';
import type { Ranked } from '../../../projecting/inspect/diff/comparing.ts';
import { standingsOf, type Standings } from '../../../projecting/inspect/diff/standings.ts';
import type { Documents } from '../../../stores/documents/port.ts';

/** What the entries of a read model are ranked by: those that are published, by their score. */

export const PUBLISHED = { 'view.published': true } as const;
export const SCORE = 'view.score.value';

/** Whether readers can have the entries of a read model by their score. */
export function isRanked({ indexes }: Pick<Projection, 'indexes'>): boolean {
  return indexes.some((paths) => paths.includes(`-${SCORE}`));
}

/** null for an entry that has none. */
export function scoreOf({ score }: JsonObject): number | null {
  const value = isJsonObject(score) ? score['value'] : undefined;
  return typeof value === 'number' ? value : null;
}

/** As the two builds are ranked at this moment. */
export async function readRanked(documents: Documents, before: string, after: string): Promise<Ranked> {
  const read = async (collection: string) => await readStandings(documents, collection);
  return { before: await read(before), after: await read(after), scoreOf };
}

async function readStandings(documents: Documents, collection: string): Promise<Standings> {
  const groups = await documents.count(collection, { where: PUBLISHED, by: [SCORE] });
  return standingsOf(
    groups.flatMap(({ values: [score], count }): readonly (readonly [number, number])[] =>
      typeof score === 'number' ? [[score, count]] : [],
    ),
  );
}
