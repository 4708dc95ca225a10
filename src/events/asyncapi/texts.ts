/** The texts of the AsyncAPI document. */

export const DESCRIPTION = `What upstream systems publish for the catalog and its monitor, and what they are told of events that were refused.

An event carries the whole state of its subject, never a patch. It may come twice, late and in any order: the higher \`revision\`, or the later \`measured_at\`, wins.

Every event is a CloudEvent 1.0, in either content mode of its Kafka binding. The key of a record, where it has one, is the event's \`subject\`. Key, headers and value have at most 256 KiB together, objects and lists at most 8 levels, the envelope being the first.

Fields that a schema does not list are dropped and counted, not refused, so that they may be added at any time. An optional field that is absent and one that is null are the same.

What a schema here refuses is refused, with two exceptions: the length of a text is that of its NFC, and a second may be 60 in any minute. A few things more are refused: unpaired surrogates; numbers that are not finite; dates that no calendar has; URLs that cannot be parsed; a \`measured_at\` or \`checked_at\` more than a day after the event's \`time\`, or after its arrival; a \`checked_at\` more than 10 minutes away from its round.`;

export const SERVER = {
  description:
    'The Kafka of an installation: its operator says where it is, and makes a user for each upstream system. Values are JSON without a schema registry’s framing.',
  bootstrap: 'Some of the brokers, `HOST:PORT`, separated by commas.',
  user: 'A user that may write its topics, read `catalog.rejected`, and use a consumer group of its own.',
};

/** Of each channel, by the last part of its topic. */
export const CHANNELS: Readonly<Record<string, string>> = {
  entries: 'What is published under a slug, and that it no longer is.',
  metrics: 'Measurements of what stands under a slug.',
  categories: 'The taxonomy: one for all kinds of entries.',
  targets: 'What the monitor watches.',
  probes: 'What each probe of a target found.',
  rejected: 'What was refused, and why: for upstream to read.',
};

/** Of each type, without its version. */
export const TYPES: Readonly<Record<string, string>> = {
  'catalog.entry.published': 'An entry is in the catalog, and this is all that it shows.',
  'catalog.entry.unpublished':
    'An entry is no longer in the catalog. At the same revision this beats the publication; publishing again takes a higher one.',
  'catalog.entry.measured': 'One measurement of an entry, by its kind.',
  'catalog.category.defined':
    'A category, with its place in the taxonomy. A parent that is unknown, removed or part of a cycle makes it a root.',
  'catalog.category.removed':
    'A category is no longer defined. At the same revision this beats the definition.',
  'monitor.target.defined': 'Something is watched.',
  'monitor.target.removed': 'Something is no longer watched. At the same revision this beats the definition.',
  'monitor.probe.completed':
    'What one vantage point found in one round. Retries inside a round are the business of the prober.',
  'catalog.event.rejected': 'An event could not be used. It is kept, and holds up no other.',
};

/** Of fields, wherever they stand. */
export const FIELDS: Readonly<Record<string, string>> = {
  id: 'Unique for its source.',
  source: 'A URI reference that names the publisher.',
  subject: 'What the event is about; the key of its record.',
  time: 'When it happened. Carried, and never used to decide which event wins.',
  datacontenttype: 'A JSON media type: application/json, or one that ends in +json.',
  data_base64: 'Data must be JSON.',
  revision: 'The higher one wins, whatever the order of arrival.',
  subtype: 'Of a channel alone.',
  username: 'On the platform, without the @.',
  category: 'The slug of a category.',
  parent: 'The slug of another category.',
  language: 'BCP 47.',
  country: 'ISO 3166-1 alpha-2.',
  flags: 'Warnings. The list is open: scam, fake, restricted, adult and others.',
  image_url: 'Handed on as it came, never fetched.',
  page_url: 'The page of the entry in the public catalog.',
  open_url: 'Opens the entry on the platform.',
  published_at: 'When it was published in the catalog.',
  measured_at: 'When the numbers were taken; the later measurement wins.',
  er_pct: 'Reactions to views, in percent.',
  critical: 'Whether the platform is down without it.',
  slow_ms: 'Shown to readers; whether a probe was slow is the word of the prober.',
  vantage_point: 'Where it was probed from.',
  round: 'The Unix time of its start in whole minutes.',
  checked_at: 'Within 10 minutes of its round.',
  latency_ms: 'Absent where the result is fail.',
  attempts: 'How often it was tried in this round.',
};
