import { QUOTA } from '../../../access/quota/counter.ts';
import type { Parts } from '../../../compose/parts.ts';
import { newVersion } from '../../../stores/documents/port.ts';
import { ALIASES } from '../../../stores/live.ts';
import { differenceOf, judgeClock, type Area, type Role } from './report.ts';

/** What to do where a store of documents is not reached, by its scheme. */
export const REACH = {
  mongodb:
    'Is the store running, and CATALOG_DOCUMENTS_URL right (address, user, password, database)? See docs/guides/deploy.md.',
  sqlite:
    'Is another process keeping the file locked, or is the file damaged? Start the service: it waits for a lock, and names what else is wrong.',
} as const;
const RIGHTS = {
  mongodb: 'Give the user of this process its rights: deploy/mongodb-users.js makes the users.',
  sqlite:
    'Is another process keeping the file locked? Else give this user write access to the file and its folder.',
} as const;

/** Collections from which each may remove documents. */
const WRITTEN: Readonly<Record<Role, readonly string[]>> = {
  project: ['checkpoints', 'parked', 'aliases'],
  serve: ['quota', 'renderers'],
  accounts: ['keys', 'sessions', 'account-audit'],
};

/** Reaches the documents store, compares its clock, and tries what the process may do. False where it is not reached. */
export async function checkDocuments(
  { documents, clock, config }: Parts,
  areas: { readonly documents: Area; readonly clocks: Area },
  role: Role,
): Promise<boolean> {
  const { documents: area, clocks } = areas;
  const { scheme } = config.documentsUrl;
  const isReached = await area.attempt('reached', REACH[scheme], async () => {
    const before = clock.now();
    const theirs = await documents.now();
    const difference = differenceOf(before, theirs, clock.now());
    area.ok('reached', `${scheme} answers.`);
    if (scheme === 'sqlite') clocks.ok('documents store', 'it is on this machine.');
    else judgeClock(clocks, 'documents store', difference);
  });
  if (!isReached) return false;
  await area.attempt('may read', RIGHTS[scheme], async () => {
    await documents.get(role === 'accounts' ? QUOTA.name : ALIASES.name, ['listings']);
    area.ok('may read', 'reading is allowed.');
  });
  const collections = new Set(await documents.collections().catch(() => []));
  for (const name of WRITTEN[role]) {
    if (!collections.has(name)) {
      area.notChecked(`may write ${name}`, 'the collection is not there yet: the first start makes it.');
      continue;
    }
    // Removes a document that does not exist: that asks for the right, and changes nothing.
    await area.attempt(`may write ${name}`, RIGHTS[scheme], async () => {
      await documents.remove(name, [{ id: 'catalog-doctor', read: newVersion() }]);
      area.ok(`may write ${name}`, 'writing is allowed.');
    });
  }
  return true;
}
