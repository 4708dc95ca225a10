/** What the document says beside the schemas: of the server, of each channel, and of the events as a whole. */

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

export const DESCRIPTION = `What upstream systems publish for the catalog and its monitor, and what they are told of events that were refused.

An event carries the whole state of its subject, never a patch. It may come twice, late and in any order: the higher \`revision\`, or the later \`measured_at\`, wins.

Every event is a CloudEvent 1.0, in either content mode of its Kafka binding. The key of a record, where it has one, is the event's \`subject\`. Key, headers and value have at most 256 KiB together, objects and lists at most 8 levels, the envelope being the first.

Fields that a schema does not list are dropped and counted, not refused, so that they may be added at any time. An optional field that is absent and one that is null are the same.

What a schema here refuses is refused, with two exceptions: the length of a text is that of its NFC, and a second may be 60 in any minute. A few things more are refused: unpaired surrogates; numbers that are not finite; dates that no calendar has; URLs that cannot be parsed; a \`measured_at\` or \`checked_at\` more than a day after the event's \`time\`, or after its arrival; a \`checked_at\` more than 10 minutes away from its round.`;
