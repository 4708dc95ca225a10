import { toInstant, type Instant } from '../../platform/instant.ts';
import { PARTS, type Part } from './content.ts';

/** What is kept of each simulated entry, by its number: some 40 bytes, for there may be a million of them. */
export interface States {
  /** An entry is first published then (Unix milliseconds). */
  begin(entry: number, ms: number): void;
  firstPublished(entry: number): Instant;
  isPublished(entry: number): boolean;
  /** How often a part was edited. */
  edits(entry: number, part: Part): number;
  edit(entry: number, part: Part): void;
  /** The revision of this publish, one above the last. */
  publish(entry: number): number;
  /** The revision of this unpublish, one above the last. */
  unpublish(entry: number): number;
}

export function createStates(entries: number): States {
  const revisions = new Uint32Array(entries);
  const published = new Uint8Array(entries);
  const since = new Float64Array(entries);
  const edits = new Uint32Array(entries * PARTS.length);
  const place = (entry: number, part: Part): number => entry * PARTS.length + PARTS.indexOf(part);
  const revise = (entry: number, isPublished: 0 | 1): number => {
    const revision = (revisions[entry] ?? 0) + 1;
    revisions[entry] = revision;
    published[entry] = isPublished;
    return revision;
  };
  return {
    begin: (entry, ms) => {
      since[entry] = ms;
    },
    firstPublished: (entry) => {
      const instant = toInstant(since[entry] ?? 0);
      if (instant === null) throw new RangeError(`Entry ${entry} is from beyond the calendar`);
      return instant;
    },
    isPublished: (entry) => published[entry] === 1,
    edits: (entry, part) => edits[place(entry, part)] ?? 0,
    edit: (entry, part) => {
      edits[place(entry, part)] = (edits[place(entry, part)] ?? 0) + 1;
    },
    publish: (entry) => revise(entry, 1),
    unpublish: (entry) => revise(entry, 0),
  };
}
