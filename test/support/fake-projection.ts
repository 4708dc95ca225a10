import type { DecodeResult } from '../../src/events/decode.ts';
import type { CatalogEvent } from '../../src/events/event.ts';
import type { LogRecord } from '../../src/events/log/port.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import {
  lastWriterWins,
  record,
  shortDigest,
  type RegisterValue,
} from '../../src/projecting/engine/register.ts';
import type { SearchEntry } from '../../src/stores/search/port.ts';
import { rejectedFor } from './records.ts';

/** A projection of one register for tests of the engine: `data.text` by `data.revision`; `boom` makes it throw. */
export interface NoteRegisters {
  readonly note: RegisterValue<string> | null;
}

export interface NoteView {
  readonly text: string | null;
}

export const NOTES: Projection<NoteRegisters, NoteView> = {
  name: 'notes',
  version: 1,
  topics: ['notes'],
  registers: record<NoteRegisters>({ note: lastWriterWins<string>() }),
  indexes: [],
  documentId: ({ subject, type }) => (type === 'note' ? subject : null),
  contribution: (event) => {
    const { revision, text } = (event as NoteEvent).data;
    if (text === 'boom') throw new Error('the contribution threw');
    return { note: { at: revision, digest: shortDigest(event.digest), value: text } };
  },
  view: (_id, { note }) => {
    if (note?.value === 'no view') throw new Error('the view threw');
    return { text: note?.value ?? null };
  },
  trim: (registers) => registers,
};

/** The same with a search index: a note is found by its text, and not at all without one. */
export const SEARCHED_NOTES: Projection<NoteRegisters, NoteView> = {
  ...NOTES,
  searchEntry: searchEntryOfNote,
};

export function searchEntryOfNote(id: string, { text }: NoteView): SearchEntry | null {
  return text === null ? null : noteEntry(id, text);
}

export function noteEntry(id: string, text: string): SearchEntry {
  const names = [...new Set([id, text])];
  return {
    id,
    kind: 'note',
    category: null,
    score: 50,
    exact: names,
    names,
    texts: [],
    transliterated: { names, texts: [] },
  };
}

export type NoteEvent = CatalogEvent<'note', { readonly revision: number; readonly text: string | null }>;

export function noteEvent(subject: string, revision: number, text: string | null): NoteEvent {
  return {
    type: 'note',
    id: `${subject}-${revision}-${text}`,
    source: '/test',
    subject,
    time: '2026-01-01T00:00:00.000Z',
    digest: Buffer.from(`${revision}${text}`).toString('hex').padEnd(64, '0'),
    data: { revision, text },
  };
}

/** A note as a record has it: `[revision, text]` under its subject as the key. */
export function decodeNote({ key, value }: LogRecord): DecodeResult {
  if (value === null) return { outcome: 'skipped', reason: 'tombstone', type: null };
  try {
    const [revision, text] = JSON.parse(Buffer.from(value).toString()) as [number, string | null];
    return { outcome: 'event', event: noteEvent(String(key), revision, text), unknownFields: 0 };
  } catch {
    const rejection = rejectedFor('not_json', 'not a note', { source: '/test', subject: key });
    return { outcome: 'rejected', rejection };
  }
}
