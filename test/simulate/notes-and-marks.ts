import type { Decode } from '../../src/events/decode.ts';
import type { NewRecord } from '../../src/events/log/port.ts';
import { problem } from '../../src/events/rejection.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { keyed, lastWriterWins, record, type RegisterValue } from '../../src/projecting/engine/register.ts';
import {
  decodeNote,
  NOTES,
  searchEntryOfNote,
  type NoteEvent,
  type NoteRegisters,
  type NoteView,
} from '../support/fake-projection.ts';
import { UNSEARCHABLE } from './simulated-search.ts';
import type { World } from './world.ts';

/** What is projected: a note, one register to a document, and marks, one under each key, from a topic of their own. */
export interface Registers extends NoteRegisters {
  readonly marks: Readonly<Record<string, RegisterValue<string> | null>>;
}

export const NOTES_AND_MARKS: Projection<Registers, NoteView> = {
  name: 'notes',
  version: 1,
  topics: ['notes', 'marks'],
  indexes: [],
  registers: record<Registers>({ note: lastWriterWins<string>(), marks: keyed(lastWriterWins<string>()) }),
  documentId: (event) => {
    const { text } = (event as NoteEvent).data;
    if (text === 'no document') throw new Error('the document cannot be told');
    return text === 'not ours' ? null : event.subject;
  },
  contribution: (event) => {
    const { note } = NOTES.contribution({ ...event, type: 'note' });
    const { revision } = (event as NoteEvent).data;
    if (note === null || event.type === 'note') return { note, marks: {} };
    return { note: null, marks: { [markOf(revision)]: note } };
  },
  view: (id, registers) => NOTES.view(id, registers),
  searchEntry: searchEntryOfNote,
  trim: (registers) => registers,
};

/** What the release that runs knows of the events. */
export interface Release {
  /** Events say versions of it: those that are above it are refused until it is upgraded. */
  version: number;
}

const OF_VERSION = 'of version ';

/** The text of an event that the release does not know yet. */
function textOfNext({ version }: Release): string {
  return `${OF_VERSION}${version + 1}`;
}

/** Whether some release refuses it. */
export function isVersioned(text: string | null): boolean {
  return text?.startsWith(OF_VERSION) === true;
}

export function decodeBy({ version }: Release): Decode {
  return (one) => {
    const decoded = decode(one);
    if (decoded.outcome !== 'event') return decoded;
    const { text } = (decoded.event as NoteEvent).data;
    if (!isVersioned(text) || Number(text?.slice(OF_VERSION.length)) <= version) return decoded;
    const { id, source, subject } = decoded.event;
    const rejection = { ...problem('unknown_version', 'not known yet'), id, source, type: null, subject };
    return { outcome: 'rejected', rejection };
  };
}

export const decode: Decode = (one) => {
  const decoded = decodeNote(one);
  return decoded.outcome === 'event' && one.topic === 'marks'
    ? { ...decoded, event: { ...decoded.event, type: 'mark' } }
    : decoded;
};

/** The key that a mark stands under. */
export function markOf(revision: number): string {
  return `mark ${revision % 3}`;
}

/**
 * A record of about this revision. Few subjects, few texts and near revisions, so that ties, duplicates and late
 * arrivals are common; one in four is poison.
 */
export function arbitraryRecord(world: World, revision: number, release: Release | null = null): NewRecord {
  const topic = world.pick(['notes', 'marks']);
  const key = world.pick(['a', 'b', 'd']);
  return { topic, key, value: arbitraryValue(world, revision, release), headers: {} };
}

function arbitraryValue(world: World, revision: number, release: Release | null): Buffer | null {
  if (world.chance(0.03)) return null;
  if (world.chance(0.05)) return Buffer.from('{');
  const poison = world.pick(['boom', 'not ours', 'no document', 'no view', 'no view']);
  if (release && world.chance(0.15))
    return Buffer.from(JSON.stringify([revision + Math.floor(world.random() * 12), textOfNext(release)]));
  const text = world.chance(0.2) ? poison : world.pick(['x', 'y', 'z', null, UNSEARCHABLE]);
  return Buffer.from(JSON.stringify([revision + Math.floor(world.random() * 12), text]));
}
