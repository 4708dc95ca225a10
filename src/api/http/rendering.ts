import { sha256 } from '../../platform/canonical.ts';
import type { KeyedDigest } from '../../platform/keyed-digest.ts';
import type { Locale } from '../messages/texts.ts';
import { EncodedForms, ownBytes } from './encoded-forms.ts';
import type { Form } from './forms.ts';

/** A body as it is sent: made once, then shared by all requests for as long as what it was made from stays. */
export interface Rendering {
  /** As text, until its bytes were wanted; null from then on. */
  readonly text: string | null;
  /** In memory of their own, from when they are first wanted. */
  readonly bytes: Buffer;
  /** Of the body, in bytes. */
  readonly size: number;
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
  /** In which it was sent so far, and which are kept. */
  readonly forms: Form[];
  /** Whether it was ever sent, in whatever form. */
  wasSent: boolean;
  /** Tells one listener how much more comes to be kept with it, in bytes. */
  onGrown(listener: (bytes: number) => void): void;
  grew(bytes: number): void;
  /** From now on its tag is this digest of the one that anybody can compute. */
  tagBy(digest: KeyedDigest): void;
}

/** Bodies up to this many bytes are sent as they are. */
export const COMPRESSED_ABOVE = 1024;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** What a body says beside its content. */
interface Said {
  /** An instant. */
  readonly lastModified?: string | null;
  readonly link?: string | null;
}

/** A body of the API: JSON, in one language or in several. */
export function renderJson(
  body: object,
  language: Locale | readonly Locale[],
  { lastModified = null, link = null }: Said = {},
): Rendering {
  return new TextRendering(JSON.stringify(body), {
    contentType: JSON_TYPE,
    languages: typeof language === 'string' ? [language] : language,
    lastModified: lastModified === null ? null : new Date(lastModified).toUTCString(),
    link,
  });
}

/** Any other text: a page, or a file that belongs to one. */
export function renderText(text: string, contentType: string, languages: readonly Locale[]): Rendering {
  return new TextRendering(text, { contentType, languages, lastModified: null, link: null });
}

type Fields = Pick<Rendering, 'contentType' | 'languages' | 'lastModified' | 'link'>;

/** Most of it is made when it is first wanted: of a body that is sent once, nearly nothing is. */
class TextRendering implements Rendering {
  readonly size: number;
  readonly contentType: string;
  readonly languages: readonly Locale[];
  readonly lastModified: string | null;
  readonly link: string | null;
  readonly forms: Form[] = [];
  wasSent = false;
  #content: string | Buffer;
  #digest: KeyedDigest | null = null;
  #etag: string | null = null;
  #encoded: EncodedForms | null = null;
  #onGrown: ((bytes: number) => void) | null = null;

  constructor(text: string, { contentType, languages, lastModified, link }: Fields) {
    this.#content = text;
    this.size = Buffer.byteLength(text);
    this.contentType = contentType;
    this.languages = languages;
    this.lastModified = lastModified;
    this.link = link;
  }

  get text(): string | null {
    return typeof this.#content === 'string' ? this.#content : null;
  }

  get bytes(): Buffer {
    if (typeof this.#content === 'string') this.#content = ownBytes(this.#content);
    return this.#content;
  }

  get etag(): string {
    this.#etag ??= this.#makeTag();
    return this.#etag;
  }

  #makeTag(): string {
    const open = `W/"${sha256(this.#content)}"`;
    return this.#digest ? `W/"${this.#digest(open)}"` : open;
  }

  get encoded(): EncodedForms {
    this.#encoded ??= new EncodedForms(this);
    return this.#encoded;
  }

  onGrown(listener: (bytes: number) => void): void {
    this.#onGrown = listener;
  }

  grew(bytes: number): void {
    this.#onGrown?.(bytes);
  }

  tagBy(digest: KeyedDigest): void {
    this.#digest = digest;
    this.#etag = null;
  }
}
