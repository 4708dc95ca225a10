import { sha256 } from '../../platform/canonical.ts';
import type { Locale } from '../messages/texts.ts';
import { EncodedForms, ownBytes } from './encoded-forms.ts';
import type { Form } from './forms.ts';

/** A body as it is sent: made once, then shared by all requests for as long as what it was made from stays. */
export interface Rendering {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Weak, because all encodings share it: the digest of the bytes, under a secret where `Renderings` made it. */
  readonly etag: string;
  /** Of the texts in it; none where it has no texts for people. */
  readonly languages: readonly Locale[];
  /** An HTTP date, or null where the body has none. */
  readonly lastModified: string | null;
  /** The neighbours of a page, as the `Link` header names them. */
  readonly link: string | null;
  readonly encoded: EncodedForms;
  /** In which it was sent so far. */
  readonly forms: Form[];
}

/** Bodies up to this many bytes are sent as they are. */
export const COMPRESSED_ABOVE = 1024;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A body of the API: JSON, in one language or in several. `lastModified` is an instant. */
export function renderJson(
  body: object,
  language: Locale | readonly Locale[],
  lastModified: string | null = null,
): Rendering {
  return {
    ...renderText(JSON.stringify(body), JSON_TYPE, typeof language === 'string' ? [language] : language),
    lastModified: lastModified === null ? null : new Date(lastModified).toUTCString(),
  };
}

/** Any other text: a page, or a file that belongs to one. */
export function renderText(text: string, contentType: string, languages: readonly Locale[]): Rendering {
  const bytes = ownBytes(text);
  const etag = `W/"${sha256(bytes)}"`;
  const encoded = new EncodedForms(bytes);
  return { bytes, contentType, etag, languages, lastModified: null, link: null, encoded, forms: [] };
}
