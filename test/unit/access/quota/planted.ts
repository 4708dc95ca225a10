import { QUOTA_NOTICES } from '../../../../src/access/instance-notices.ts';
import { QUOTA, type QuotaDay } from '../../../../src/access/quota/quota-day-document.ts';
import type { Documents, Write } from '../../../../src/stores/documents/port.ts';
import { changing, withoutGuard } from '../../../simulate/planted-documents.ts';

/** Between one instance and its store. */
export type Planted = (documents: Documents) => Documents;

/** Seen after a step, or in the end by what more can be granted. Which comes first is the seed's. */
const COUNTED_TOO_LITTLE = /to be greater than or equal to|to be \d+ /;
const REFUSED_EARLY = /the day is full/;

/** Bugs that a storm must show. The quota has no hooks for them: each stands in front of its store, and does what the bug would do. */
export const PLANTED: readonly {
  readonly bug: string;
  readonly planted: Planted;
  readonly seenBy: RegExp;
}[] = [
  {
    bug: 'a share that somebody has is granted again',
    planted: (documents) => withoutGuard(documents, QUOTA.name),
    seenBy: COUNTED_TOO_LITTLE,
  },
  { bug: 'a return is counted twice', planted: returningTwice, seenBy: COUNTED_TOO_LITTLE },
  {
    bug: 'what is held of a day is granted on the next one',
    planted: stayingOnADay,
    // From then on either may be wrong, and the limit, too.
    seenBy: /^AssertionError/,
  },
  { bug: 'nobody is called to give back', planted: callingNobody, seenBy: REFUSED_EARLY },
];

function returningTwice(documents: Documents): Documents {
  return changing(documents, QUOTA.name, async (write: Write<QuotaDay>) => {
    const before = (await documents.get<QuotaDay>(QUOTA.name, [write.id])).get(write.id)?.body.shares ?? {};
    const shares = Object.entries(write.body.shares).map(([writer, share]) => {
      const returned = Math.max(0, (before[writer] ?? share) - share);
      return [writer, Math.max(0, share - returned)] as const;
    });
    return { ...write, body: { ...write.body, shares: Object.fromEntries(shares) } };
  });
}

/** Reads and writes a place's day as the first one on which the place was asked for. */
function stayingOnADay(documents: Documents): Documents {
  const first = new Map<string, string>();
  const idOn = (id: string): string => {
    const place = id.slice(11);
    const stays = first.get(place) ?? id;
    first.set(place, stays);
    return stays;
  };
  return {
    ...changing(documents, QUOTA.name, async (write) => ({ ...write, id: idOn(write.id) })),
    get: async <Body>(collection: string, ids: readonly string[]) => {
      if (collection !== QUOTA.name) return await documents.get<Body>(collection, ids);
      const found = await documents.get<Body>(collection, ids.map(idOn));
      const known = ids.map((id) => [id, found.get(idOn(id))] as const);
      return new Map(known.flatMap(([id, stored]) => (stored ? [[id, stored] as const] : [])));
    },
  };
}

function callingNobody(documents: Documents): Documents {
  const toNobody = async (write: Write<object>) => ({ ...write, body: { ...write.body, about: [] } });
  return changing(documents, QUOTA_NOTICES.name, toNobody);
}
