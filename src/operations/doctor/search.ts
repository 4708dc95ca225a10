import { everyBuild, type StandingBuild } from '../../projecting/builds/builds-by-fold.ts';
import type { Parts } from '../../compose/parts.ts';
import { fileOf, notChecked, ok, problem, reachCheck, type Area, type Check, type Look } from './check.ts';
import type { Role } from '../process-role.ts';
import texts from './texts.json' with { type: 'json' };

export const searchArea: Area = {
  name: 'search',
  store: 'search',
  roles: ['project', 'serve'],
  checks: ({ search, config }) => {
    const { scheme } = config.searchUrl;
    const hint = fileOf(config, 'search') === null ? texts.search.reach : texts.search.file;
    return [reachCheck(scheme, hint, () => search.check())];
  },
};

/** Whether each index is there with the settings that this release declares. */
export const indexesArea: Area = {
  name: 'indexes',
  roles: ['project', 'serve'],
  needs: ['documents', 'search'],
  checks: async (parts, role) =>
    (await everyBuild(parts))
      .filter(({ projection }) => projection?.searchEntry !== undefined)
      .flatMap((one): readonly Check[] => {
        const look = () => lookAtSettings(parts, one, role);
        const settings = { name: `settings of ${one.build}`, hint: texts.search.key, look };
        return one.isLive ? [settings, queryCheck(parts, one.build)] : [settings];
      }),
};

/** An index with other settings than this release declares is not listed. */
async function lookAtSettings(
  { search }: Parts,
  { build: index, isLive }: StandingBuild,
  role: Role,
): Promise<Look> {
  if (role === 'serve') return notChecked('the key of serve may search and nothing else.');
  if (!(await search.indexes()).includes(index)) {
    if (!isLive) return notChecked('the build is not live, and has no index yet: projectors make it.');
    return problem(
      'the index is not there, or has other settings than this release declares.',
      'Start a projector: it makes the index, and gives it its settings.',
    );
  }
  return ok('the index has the settings that this release declares.');
}

function queryCheck({ search }: Parts, index: string): Check {
  return {
    name: `search in ${index}`,
    hint: `Is a projector running? It makes and fills the index. ${texts.search.key}`,
    look: async () => {
      await search.query(index, { q: 'a', filter: {}, exclude: [], offset: 0, limit: 1 });
      return ok('a query is answered.');
    },
  };
}
