import type { Json } from '../../../platform/json.ts';
import { rootOf } from '../names.ts';
import type { Scalar, Stored, Version } from '../port.ts';
import { collect, type Fields } from './fields.ts';
import type { Layout } from './layout.ts';
import { copyOf, leaveOut } from './native.ts';

/**
 * A document as MongoDB keeps it: the body as JSON text, and each native key of it as a value of BSON, under its own
 * name, for people and for indexes. In the text a native key stands as `null`, so that nothing is kept twice.
 *
 * Text is read back exactly as it was written. BSON has no place for some keys and texts that JSON has, and gives
 * meaning to others (`$ref`, `_bsontype`). So there is one rule: where the value of a native key has a key that is not
 * a letter with letters, digits and _ behind it, text that is not well-formed, more than 20 levels, or an object or a
 * list where an index expects a scalar, the text has that value too, and the text is what is read back. Its native form
 * then lacks what broke the rule.
 *
 * What an index can be declared over beside native keys stands in `fields`: every scalar that a path reaches, whether
 * an index asks for it today or not, so that a new index serves the old documents, and those of processes that do not
 * know of it.
 */
export interface StoredDocument {
  readonly _id: string;
  readonly version: Version;
  readonly body: string;
  /**
   * The native keys that the text has no value of: such a key is read alone, and taken out alone (changes.ts), where the text
   * still has its `null`. Earlier releases have not said so.
   */
  readonly whole: readonly string[];
  /** By path, with slashes in place of dots: side by side, an object is nothing to an index over its own path. */
  readonly fields: Fields;
}

/** What is read back: the native keys are whatever the document has. */
export const READ = { fields: 0 } as const;

/** As deep as a path goes (names.ts). */
const DEEPEST = 20;

/** A document to write, with about how many bytes it takes: rather more than less, its `fields` not counted. */
export function documentOf(
  { id, version, body }: { readonly id: string; readonly version: Version; readonly body: object },
  layout: Layout,
): { readonly document: StoredDocument; readonly bytes: number } {
  const text: Record<string, unknown> = { ...body };
  const native: Record<string, Json> = {};
  const whole: string[] = [];
  let bytes = 0;
  for (const key of layout.native) {
    const one = Object.hasOwn(text, key) ? nativeOf(key, text[key], layout) : ABSENT;
    bytes += one.bytes;
    if (one.isWhole) whole.push(key);
    if (one.value === undefined) continue;
    native[key] = one.value;
    if (one.isWhole) text[key] = null;
  }
  const beside = Object.entries(body).filter(([key]) => !layout.native.has(key));
  const fields = new Map<string, Exclude<Scalar, null>>();
  collect(beside, '', DEEPEST, fields);
  const json = JSON.stringify(text);
  return {
    document: { _id: id, version, body: json, ...native, whole, fields },
    bytes: bytes + Buffer.byteLength(json),
  };
}

/** The value of a native key as BSON holds it. */
interface Native {
  /** Undefined where JSON has no word for it: then the body does not have the key. */
  readonly value: Json | undefined;
  /** Whether it says all that JSON text would say. */
  readonly isWhole: boolean;
  readonly bytes: number;
}

const ABSENT: Native = { value: undefined, isWhole: true, bytes: 0 };

export function nativeOf(key: string, value: unknown, { paths }: Layout): Native {
  const tally = { bytes: 0, isWhole: true };
  const copy = copyOf(value, DEEPEST, tally);
  if (copy === undefined) return ABSENT;
  const holder = { [key]: copy };
  const left = paths.filter((path) => rootOf(path) === key && leaveOut(holder, path));
  return { value: holder[key], isWhole: tally.isWhole && left.length === 0, bytes: tally.bytes };
}

type ReadDocument = Pick<StoredDocument, '_id' | 'version' | 'body'> & Partial<Pick<StoredDocument, 'whole'>>;

export function storedOf<Body>({ _id, version, body, whole = [], ...native }: ReadDocument): Stored<Body> {
  const read = JSON.parse(body) as Record<string, unknown>;
  // Those that were written alone since need no place in the text.
  for (const key of whole) {
    if (Object.hasOwn(native, key)) read[key] = native[key as never];
    else delete read[key];
  }
  for (const [key, value] of Object.entries(native)) {
    if (Object.hasOwn(read, key) && read[key] === null) read[key] = value;
  }
  return { id: _id, version, body: read as Body };
}
