import { QUOTA } from '../../access/quota/quota-day-document.ts';
import { newVersion } from '../../stores/documents/port.ts';
import { ALIASES } from '../../stores/aliases.ts';
import type { Role } from '../process-role.ts';
import { differenceOf, judgeClock, notChecked, ok, reachCheck, type Area, type Check } from './check.ts';
import texts from './texts.json' with { type: 'json' };

/** Collections from which each may remove documents. */
const WRITTEN: Readonly<Record<Role, readonly string[]>> = {
  project: ['checkpoints', 'parked', 'aliases'],
  serve: ['quota', 'quota-notices', 'renderers'],
  accounts: ['keys', 'key-notices', 'sessions', 'account-audit'],
};

export const documentsArea: Area = {
  name: 'documents',
  store: 'documents',
  roles: ['project', 'serve', 'accounts'],
  checks: ({ documents, clock, config }, role) => {
    const { scheme } = config.documentsUrl;
    const { reach, rights } = texts.documents;
    const hint = rights[scheme];
    const mayWrite = (name: string): Check => ({
      name: `may write ${name}`,
      hint,
      look: async () => {
        const there: readonly string[] = await documents.collections().catch(() => []);
        if (!there.includes(name))
          return notChecked('the collection is not there yet: the first start makes it.');
        // Removes a document that does not exist: that asks for the right, and changes nothing.
        await documents.remove(name, [{ id: 'catalog-doctor', read: newVersion() }]);
        return ok('writing is allowed.');
      },
    });
    return [
      reachCheck(scheme, reach[scheme], () => documents.now()),
      {
        name: 'clock',
        hint,
        look: async () => {
          const before = clock.now();
          const theirs = await documents.now();
          return judgeClock(differenceOf(before, theirs, clock.now()));
        },
      },
      {
        name: 'may read',
        hint,
        look: async () => {
          await documents.get(role === 'accounts' ? QUOTA.name : ALIASES.name, ['listings']);
          return ok('reading is allowed.');
        },
      },
      ...WRITTEN[role].map(mayWrite),
    ];
  },
};
