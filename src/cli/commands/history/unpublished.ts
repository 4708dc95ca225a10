import type { ListingRegisters, Localized } from '../../../../projections/listings/document.ts';
import { inLanguage, type Locale } from '../../../api/messages/texts.ts';
import { ENTRIES, type UnpublishedData } from '../../../events/entries.ts';
import type { Projection } from '../../../projecting/engine/projection.ts';
import { lastWriterWins, type Written } from '../../../projecting/engine/register.ts';
import { inLogOrder, type PastEvent } from '../../../projecting/inspect/past.ts';
import { checkMoment, instant, openPast, type Asking, type CutLane, type Past } from './asking.ts';

/** Which entries were unpublished in some time, and why. Instants are RFC 3339. */

export interface Unpublished {
  readonly slug: string;
  /** As readers saw it last. */
  readonly title: string;
  /** When the event came into the log. */
  readonly recorded_at: string;
  /** When it happened, as its source says. */
  readonly time: string;
  /** null where the event gives none. */
  readonly reason: string | null;
  /** When it was published again; null where it was not. */
  readonly published_again_at: string | null;
  readonly id: string;
  readonly source: string;
  readonly topic: string;
  readonly partition: number;
  readonly position: number;
}

export interface UnpublishedEntries {
  /** By the time of the log, oldest first. */
  readonly unpublished: readonly Unpublished[];
  readonly leftOut: number;
  readonly cut: readonly CutLane[];
}

/** An event as far as this answer needs it: contents stay out of the memory. */
interface Fact {
  readonly found: PastEvent;
  readonly content: Written<Titled>;
}
interface Titled {
  readonly username: string;
  readonly title: Localized;
}

const CONTENT = lastWriterWins<Titled>();

/** @param since Unix milliseconds; null for as long as there is a log. */
export async function unpublishedSince(
  asking: Asking,
  since: number | null,
  locale: Locale,
): Promise<UnpublishedEntries> {
  const past = await openPast(asking, 'listings', { topics: [ENTRIES] });
  const now = asking.parts.clock.now();
  if (since !== null && since > now) checkMoment('--since', since, [past], now);
  const { subjects, leftOut } = await everUnpublished(past);
  const facts = new Map<string, Fact[]>();
  for await (const found of subjects.size > 0 ? past.records(subjects) : []) {
    if (found.outcome === 'left_out') continue;
    const content = titledOf(past.projection, found);
    if (content === null) continue;
    const { subject } = found.event;
    const known = facts.get(subject);
    if (known) known.push({ found: withoutContent(found), content });
    else facts.set(subject, [{ found: withoutContent(found), content }]);
  }
  const unpublished = [...facts.values()]
    .flatMap((own) => takenAway(own, locale))
    .filter(({ at }) => since === null || at >= since)
    .toSorted((a, b) => a.at - b.at || (a.row.slug < b.row.slug ? -1 : 1))
    .map(({ row }) => row);
  return { unpublished, leftOut, cut: past.cut };
}

/**
 * The log is read twice, so that the memory holds the entries that were ever unpublished, and not the events of all: what
 * is about others is not even decoded the second time.
 */
async function everUnpublished(past: Past) {
  const subjects = new Set<string>();
  let leftOut = 0;
  for await (const found of past.records()) {
    if (found.outcome === 'left_out') leftOut += 1;
    else if (found.event.type === UNPUBLISHED) subjects.add(found.event.subject);
  }
  return { subjects, leftOut };
}

const UNPUBLISHED = 'catalog.entry.unpublished';

function titledOf(projection: Projection, { event }: PastEvent): Fact['content'] | null {
  // The projection that is given makes listings.
  const { content } = projection.contribution(event) as ListingRegisters;
  if (content === null) return null;
  const { value } = content;
  return { ...content, value: value && { username: value.username, title: value.title } };
}

function withoutContent(found: PastEvent): PastEvent {
  const { event, record } = found;
  const data = event.type === UNPUBLISHED ? event.data : null;
  return { ...found, event: { ...event, data }, record: { ...record, value: null, headers: {} } };
}

/** Each time that one entry went from published to unpublished. */
function takenAway(facts: readonly Fact[], locale: Locale) {
  const found: { at: number; row: Unpublished }[] = [];
  let content: Written<Titled> | null = null;
  for (const fact of facts.toSorted((a, b) => inLogOrder(a.found, b.found))) {
    const before: Titled | null = content?.value ?? null;
    content = CONTENT.join(content, fact.content);
    const after = content?.value ?? null;
    const last = found.at(-1);
    const { at } = fact.found;
    if (before !== null && after === null) found.push({ at, row: rowOf(fact, before, locale) });
    if (before === null && after !== null && last)
      last.row = { ...last.row, published_again_at: instant(at) };
  }
  return found;
}

function rowOf({ found }: Fact, { title, username }: Titled, locale: Locale): Unpublished {
  const { event, record, at } = found;
  const { topic, partition, position } = record;
  return {
    slug: event.subject,
    title: inLanguage(title, locale) ?? username,
    recorded_at: instant(at),
    time: event.time,
    // Nothing but this event takes a published entry away.
    reason: (event.data as UnpublishedData).reason,
    published_again_at: null,
    id: event.id,
    source: event.source,
    topic,
    partition,
    position,
  };
}
