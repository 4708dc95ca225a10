/**
 * Whether `If-None-Match` names this weak entity tag: RFC 9110, section 13.1.2, compared weakly. Tags of ours hold no
 * comma, so a list can be split at them; what is not a quoted tag matches nothing.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  const opaque = etag.slice('W/'.length);
  return ifNoneMatch.split(',').some((part) => {
    const tag = part.trim();
    return tag === opaque || tag === etag;
  });
}
