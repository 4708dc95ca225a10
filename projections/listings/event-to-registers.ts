import type { EntryEvent } from '../../src/events/entry-events.ts';
import type { EntryMeasured } from '../../src/events/measurement-events.ts';
import { keyed, lastWriterWins, record, shortDigest } from '../../src/projecting/engine/register.ts';
import type { Content, ListingRegisters, Measures } from './document.ts';

/** How an entry's events become registers. */

export type ListingEvent = EntryEvent | EntryMeasured;

export const registers = record<ListingRegisters>({
  content: lastWriterWins<Content>(),
  metrics: keyed(lastWriterWins<Measures>()),
  audience: keyed(keyed(lastWriterWins<number>())),
});

/** The slug that an event is about; null where the event is none of an entry's. */
export function documentId(event: ListingEvent): string | null {
  switch (event.type) {
    case 'catalog.entry.published':
    case 'catalog.entry.unpublished':
    case 'catalog.entry.measured':
      return event.subject;
    default:
      return null;
  }
}

/** The registers of an entry of which nothing but this event is known. */
export function contribution(event: ListingEvent): ListingRegisters {
  if (event.type === 'catalog.entry.measured') return { ...registers.empty, ...measured(event) };
  return { ...registers.empty, content: written(event) };
}

function written(event: EntryEvent): ListingRegisters['content'] {
  const stamp = { time: event.time, digest: shortDigest(event.digest) };
  // A tombstone keeps nothing of the content: what is unpublished is erased.
  if (event.type === 'catalog.entry.unpublished') return { at: event.data.revision, ...stamp, value: null };
  const { revision: at, ...value } = event.data;
  return { at, ...stamp, value };
}

function measured(event: EntryMeasured): Pick<ListingRegisters, 'metrics' | 'audience'> {
  const { measured_at: at, kind, ...value } = event.data;
  const stamp = { at, digest: shortDigest(event.digest) };
  const audience = event.data.kind === 'channel' ? event.data.subscribers : event.data.monthly_users;
  return {
    metrics: { [kind]: { ...stamp, value } },
    audience: { [kind]: { [dayOf(at)]: { ...stamp, value: audience } } },
  };
}

/** The UTC day of an instant, which decoding has brought to UTC. */
function dayOf(instant: string): string {
  return instant.slice(0, 10);
}
