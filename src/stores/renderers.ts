import type { CollectionSpec, Documents } from './documents/port.ts';
import { parseBuildName } from './builds.ts';
import { isAlive, readWords, type Word } from './words.ts';

/** Which processes serve, and what they can: a build is made live only where each of them can render it. */
export const RENDERERS: CollectionSpec = { name: 'renderers', indexes: [] };

export interface Renderer extends Word {
  /** Where it runs, for people: `host:pid`. */
  readonly where: string;
  /** The versions of each read model that it has answers for. */
  readonly renders: Readonly<Record<string, readonly number[]>>;
}

/** Where the processes run that serve now and could not serve this build. `now` is the store's time. */
export async function unableTo(
  documents: Pick<Documents, 'scan' | 'declare'>,
  build: string,
  now: number,
): Promise<readonly string[]> {
  const named = parseBuildName(build);
  if (!named) return [];
  await documents.declare(RENDERERS);
  const serving = [...(await readWords<Renderer>(documents, RENDERERS)).values()];
  return serving
    .filter((one) => isAlive(one, now) && !one.renders[named.name]?.includes(named.version))
    .map(({ where }) => where);
}
