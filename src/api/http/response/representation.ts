import { sha256 } from '../../../platform/canonical.ts';
import type { Locale } from '../../../texts/texts.ts';
import { compressor, type Encoding, ownBytes } from './compression.ts';

/** A body as it is sent (RFC 9110, section 8): made once, then shared by all requests for as long as what it was made from stays. */
export interface Representation {
  /** In memory of their own. */
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Weak, because all encodings share it: the digest of the bytes, under a secret where the response cache has it. */
  readonly etag: string;
  /** Of the texts in it; none where it has no texts for people. */
  readonly languages: readonly Locale[];
  /** An HTTP date, or null where the body has none. */
  readonly lastModified: string | null;
  /** The neighbours of a page, as the `Link` header names them. */
  readonly link: string | null;
  /** The bytes in this coding: compressed when they are first asked for, and kept with the others. */
  readonly compressed: (encoding: Encoding) => Promise<Buffer>;
}

/** Bodies up to this many bytes are sent as they are. */
export const COMPRESSED_ABOVE = 1024;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** What a body says beside its content. */
interface Metadata {
  /** An instant. */
  readonly lastModified?: string | null;
  readonly link?: string | null;
}

/** A body of the API: JSON, in one language or in several. */
export function renderJson(
  body: object,
  language: Locale | readonly Locale[],
  { lastModified = null, link = null }: Metadata = {},
): Representation {
  return represent(JSON.stringify(body), {
    contentType: JSON_TYPE,
    languages: typeof language === 'string' ? [language] : language,
    lastModified: lastModified === null ? null : new Date(lastModified).toUTCString(),
    link,
  });
}

/** Any other text: a page, or a file that belongs to one. */
export function renderText(text: string, contentType: string, languages: readonly Locale[]): Representation {
  return represent(text, { contentType, languages, lastModified: null, link: null });
}

type Fields = Pick<Representation, 'contentType' | 'languages' | 'lastModified' | 'link'>;

function represent(text: string, fields: Fields): Representation {
  const bytes = ownBytes(text);
  return { ...fields, bytes, etag: `W/"${sha256(bytes)}"`, compressed: compressor(bytes) };
}
