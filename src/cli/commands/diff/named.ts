import { UsageError } from '../../../platform/errors.ts';
import { parseBuildName, readBuild } from '../../../stores/builds.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import { ALIASES, buildsOf, readAlias } from '../../../stores/live.ts';
import { SHADOWS, type Shadow } from '../../../stores/shadows.ts';

/** A build or a shadow that is stored, and can be compared. */
export interface StoredBuild {
  /** Of the read model. */
  readonly name: string;
  readonly collection: string;
  readonly state: 'live' | 'build' | 'shadow';
  /** What comes after the version: `b2`, `weights`. */
  readonly suffix: string | undefined;
  /** Whether it is all there: a build that has caught up once, a shadow whose replay came to its end. */
  readonly isWhole: boolean;
}

/**
 * The builds that two names mean: names of collections, `live` for the live build of the other one's read model, or what a
 * build or shadow is called behind its version, where only one is called so.
 * @throws {UsageError} where a name means none or several, or where the two cannot be compared.
 */
export async function buildsNamed(
  documents: Documents,
  [before, after]: readonly [string, string],
): Promise<readonly [StoredBuild, StoredBuild]> {
  const stored = await readStored(documents);
  const beside = (name: string): StoredBuild | null => (name === LIVE ? null : findNamed(stored, name));
  const [first, second] = [beside(before), beside(after)];
  const model = (first ?? second)?.name;
  if (model === undefined)
    throw new UsageError(`${LIVE} is the live build of what the other name means: give one by its name.`);
  const pair = [first ?? liveOf(stored, model), second ?? liveOf(stored, model)] as const;
  check(pair);
  return pair;
}

const LIVE = 'live';

function check([before, after]: readonly [StoredBuild, StoredBuild]): void {
  if (before.name !== after.name)
    throw new UsageError(
      `${before.collection} and ${after.collection} are of different read models, and cannot be compared.`,
    );
  if (before.collection === after.collection)
    throw new UsageError(`Both names mean ${before.collection}: give two different builds.`);
}

function findNamed(stored: readonly StoredBuild[], name: string): StoredBuild {
  const exact = stored.find(({ collection }) => collection === name);
  if (exact) return exact;
  const [one, ...others] = stored.filter(({ suffix }) => suffix === name);
  if (one && others.length === 0) return one;
  if (one) {
    const names = [one, ...others].map(({ collection }) => collection).join(', ');
    throw new UsageError(`Several are called ${name}: ${names}. Give the whole name.`);
  }
  throw new UsageError(`There is no build or shadow ${name}. ${listed(stored)}`);
}

function liveOf(stored: readonly StoredBuild[], model: string): StoredBuild {
  const live = stored.find(({ name, state }) => name === model && state === 'live');
  if (live) return live;
  throw new UsageError(`${model} has no live build. ${listed(stored)}`);
}

function listed(stored: readonly StoredBuild[]): string {
  if (stored.length === 0) return 'Nothing was projected yet: start a projector first ("npm start").';
  const names = stored.map(({ collection, state }) =>
    state === 'build' ? collection : `${collection} (${state})`,
  );
  return `There are ${names.join(', ')}.`;
}

async function readStored(documents: Documents): Promise<readonly StoredBuild[]> {
  const collections = new Set(await documents.collections());
  const found = new Map<string, StoredBuild>();
  const add = (collection: string, state: StoredBuild['state'], isWhole: boolean): void => {
    const named = parseBuildName(collection);
    if (!named || found.has(collection) || !collections.has(collection)) return;
    found.set(collection, { name: named.name, collection, state, suffix: named.build, isWhole });
  };
  // Neither collection is there before something is stored in it.
  const scan = (collection: string) =>
    collections.has(collection) ? documents.scan<Shadow>(collection) : [];
  for await (const batch of scan(ALIASES.name)) {
    for (const { id } of batch) {
      const alias = await readAlias(documents, id);
      if (alias === null) continue;
      add(alias.collection, 'live', true);
      for (const build of [...buildsOf(alias), ...(alias.before === null ? [] : [alias.before])]) {
        const known = await readBuild(documents, build);
        add(build, 'build', known !== null && known.completed_at !== null);
      }
    }
  }
  for await (const batch of scan(SHADOWS.name))
    for (const { id, body } of batch) add(id, 'shadow', body.made !== null);
  return [...found.values()];
}
