import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { listingView, type Content, type ListingRegisters } from '../../projections/listings/document.ts';
import { listings } from '../../projections/listings/index.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import type { Register, RegisterValue } from '../../src/projecting/engine/register.ts';
import { arbitraryHistory } from '../support/arbitrary-events.ts';
import { decoded } from '../support/events.ts';
import { LAWS, type Law } from '../support/laws.ts';
import { SIZES } from '../support/sizes.ts';

/** A checker that has never failed is no evidence: here are the bugs that the laws must see. */

const events = arbitraryHistory(listings.topics).map((history) => history.map(decoded));
/** A usual run must be enough to see them. */
const CASES = SIZES.LAW_CASES.usual;

/** Whether a projection breaks the law. No counterexample is made smaller: nobody reads it. */
function breaks(projection: Projection, law: Law): boolean {
  const before = fc.readConfigureGlobal() ?? {};
  fc.configureGlobal({ ...before, endOnFailure: true });
  try {
    law.hold({ projection, view: listingView, events }, CASES);
    return false;
  } catch {
    return true;
  } finally {
    fc.configureGlobal(before);
  }
}

/** Listings, with another join of their content. */
function joiningContent(join: Register<RegisterValue<Content> | null>['join']): Projection {
  const registers: Register<ListingRegisters> = {
    ...listings.registers,
    join: (a, b) => {
      const content = join(a.content, b.content);
      const joined = listings.registers.join({ ...a, content: null }, { ...b, content: null });
      const others = joined.metrics === a.metrics && joined.audience === a.audience;
      return others && content === a.content ? a : { ...joined, content };
    },
  };
  return { ...listings, registers };
}

const BUGS: readonly { readonly bug: string; readonly projection: Projection; readonly seenBy: RegExp }[] = [
  {
    bug: 'at one revision the last to arrive wins',
    projection: joiningContent((a, b) => (b === null || (a !== null && a.at > b.at) ? a : b)),
    seenBy: /commutative/,
  },
  {
    bug: 'an entry counts as the same where the words alone have changed',
    projection: { ...listings, entries: { has: () => true, same: () => true } },
    seenBy: /without making them/,
  },
  {
    bug: 'an unpublish leaves no tombstone',
    projection: {
      ...listings,
      contribution: (event) =>
        event.type === 'catalog.entry.unpublished' ? listings.registers.empty : listings.contribution(event),
    },
    seenBy: /trace/,
  },
  {
    bug: 'a tombstone is forgotten once it has done its work',
    projection: joiningContent((a, b) => {
      const joined = listings.registers.join(
        { ...listings.registers.empty, content: a },
        { ...listings.registers.empty, content: b },
      );
      return joined.content?.value === null ? null : joined.content;
    }),
    seenBy: /any order/,
  },
  {
    bug: 'the fold drops what is too old to be shown',
    projection: {
      ...listings,
      registers: {
        ...listings.registers,
        join: (a: ListingRegisters, b: ListingRegisters) => listings.trim(listings.registers.join(a, b)),
      },
    },
    seenBy: /trace/,
  },
  {
    bug: 'a wall clock in a document',
    projection: withView((view) => ({ ...view, projected_at: new Date().toISOString() })),
    seenBy: /clock/,
  },
  {
    bug: 'a random number in a document',
    projection: withView((view) => ({ ...view, sample: Math.random() < 0.5 })),
    seenBy: /chance/,
  },
  {
    bug: 'a field that the schema does not know',
    projection: withView((view) => ({ ...view, surprise: true })),
    seenBy: /schema/,
  },
  {
    bug: 'a view that shows keys in the order in which they came',
    projection: {
      ...listings,
      view: (_slug, registers) => ({ days: Object.keys((registers as ListingRegisters).metrics) }),
    },
    seenBy: /order of keys/,
  },
  {
    bug: 'a count of events',
    projection: {
      ...listings,
      registers: {
        empty: { count: 0 },
        join: (a: { count: number }, b: { count: number }) => ({ count: a.count + b.count }),
        conflicts: () => 0,
      },
      contribution: () => ({ count: 1 }),
      view: () => ({ published: false }),
      trim: (registers) => registers,
    },
    seenBy: /idempotent/,
  },
  {
    bug: 'a sweep that takes a day which is still shown',
    projection: {
      ...listings,
      trim: (registers) => ({ ...(registers as ListingRegisters), audience: {} }),
    },
    seenBy: /trimming twice/,
  },
  {
    bug: 'a view that sorts its registers in place',
    projection: {
      ...listings,
      view: (slug, registers) => {
        (registers as ListingRegisters).content?.value?.flags.sort();
        return listings.view(slug, registers as ListingRegisters);
      },
    },
    seenBy: /in place/,
  },
];

function withView(change: (view: object) => object): Projection {
  return {
    ...listings,
    view: (slug, registers) => change(listings.view(slug, registers as ListingRegisters)),
  };
}

test.each(BUGS)('the laws see this bug: $bug', ({ projection, seenBy }) => {
  const laws = LAWS.filter(({ title }) => seenBy.test(title));
  expect(laws).toHaveLength(1);
  expect(laws.filter((law) => !breaks(listings, law))).toEqual(laws);
  expect(laws.filter((law) => breaks(projection, law))).toEqual(laws);
});
