import { commandLine } from '../../../platform/command-line.ts';
import { everyBuild } from '../../../compose/builds.ts';
import { foldsOf } from '../../../compose/folds.ts';
import type { Parts } from '../../../compose/parts.ts';
import { messageOf } from '../../../platform/errors.ts';
import { isBackfilling } from '../../../stores/feed-lease.ts';

import type { Area, Role } from './report.ts';

const REACH =
  'Is the search engine running, and CATALOG_SEARCH_URL right? Until then /search is 503, nothing else.';
const KEY =
  'Give this process its key in CATALOG_SEARCH_KEY: deploy/search-keys.ts makes one for project and one for serve.';

/** Reaches the search engine, and looks whether each index is there with the settings that this release declares. */
export async function checkSearch(parts: Parts, area: Area, role: Role): Promise<void> {
  const { search, config } = parts;
  const isReached = await area.attempt('reached', REACH, async () => {
    await search.check();
    area.ok('reached', `${config.searchUrl.scheme} answers.`);
  });
  if (!isReached) return;
  for (const { build: index, isLive, projection } of await everyBuild(parts, foldsOf(parts))) {
    if (!projection?.searchEntry) continue;
    if (!isLive) {
      await checkBeside(parts, area, index, role);
      continue;
    }
    if (role === 'project') await checkSettings(parts, area, index);
    else area.notChecked(`settings of ${index}`, 'the key of serve may search and nothing else.');
    try {
      await search.query(index, { q: 'a', filter: {}, exclude: [], offset: 0, limit: 1 });
      area.ok(`search in ${index}`, 'a query is answered.');
    } catch (thrown) {
      area.problem(
        `search in ${index}`,
        messageOf(thrown),
        `Is a projector running? It makes and fills the index. ${KEY}`,
      );
    }
  }
  area.notChecked(
    'may write',
    `it cannot be tried without leaving a task; "${commandLine('status')}" shows what the feeder meets.`,
  );
}

/** Of a build that readers do not search. */
async function checkBeside({ search }: Parts, area: Area, index: string, role: Role): Promise<void> {
  const name = `settings of ${index}`;
  if (role === 'serve') return area.notChecked(name, 'it is the index of a build that is not live.');
  await area.attempt(name, KEY, async () => {
    if ((await search.indexes()).includes(index))
      area.ok(name, 'the index of this build has the settings that this release declares.');
    else area.notChecked(name, 'the build is not live, and has no index yet: projectors make it.');
  });
}

async function checkSettings({ search, documents }: Parts, area: Area, index: string): Promise<void> {
  await area.attempt(`settings of ${index}`, KEY, async () => {
    // An index with other settings than this release declares is not listed.
    if ((await search.indexes()).includes(index)) {
      const isFull = !(await isBackfilling(documents, index).catch(() => false));
      if (isFull) area.ok(`settings of ${index}`, 'the index has the settings that this release declares.');
      else area.warning(`settings of ${index}`, 'it is being filled.', 'Wait: until then /search is 503.');
    } else {
      area.problem(
        `settings of ${index}`,
        'the index is not there, or has other settings than this release declares.',
        'Start a projector: it makes the index, and gives it its settings.',
      );
    }
  });
}
