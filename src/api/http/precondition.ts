/** What `If-None-Match` says of an answer. */
export interface Precondition {
  /** Whether the answer is 304. */
  readonly isNotModified: boolean;
  /**
   * Whether the caller named the answer's tag, and so has had the answer: that 304 is free. `*` stands for any answer
   * at all; a caller that sends it, alone or beside tags, has shown nothing.
   */
  readonly isNamed: boolean;
}

export const NO_PRECONDITION: Precondition = { isNotModified: false, isNamed: false };
const NAMED: Precondition = { isNotModified: true, isNamed: true };
/** What proxies that compress put at the end of a tag: Apache and Caddy `-gzip`, Jetty `--gzip`, older Apaches `;br`. */
const CODING = /(?:--?|;)(?:gzip|br|zstd|deflate)"$/;
const ANY: ReadonlySet<string> = new Set(['*', 'W/*', '"*"', 'W/"*"']);

/**
 * Holds `If-None-Match` against a weak entity tag: RFC 9110, section 13.1.2, compared weakly. Tags of ours hold no
 * comma, so a list can be split at them; what is not a quoted tag matches nothing. A tag that a proxy has marked with its
 * content coding is the tag: it came from us, for the very bytes that the proxy packed.
 */
export function preconditionOf(ifNoneMatch: string | undefined, etag: string): Precondition {
  if (ifNoneMatch === undefined) return NO_PRECONDITION;
  if (ifNoneMatch === etag) return NAMED;
  const opaque = etag.slice('W/'.length);
  const tags = ifNoneMatch.split(',').map((part) => part.trim());
  const names = (tag: string) => tag === opaque || tag === etag;
  const isNamed = tags.some((tag) => names(tag) || names(tag.replace(CODING, '"')));
  const isAny = tags.some((tag) => ANY.has(tag));
  return { isNotModified: isNamed || ifNoneMatch.trim() === '*', isNamed: isNamed && !isAny };
}
