import type { Encoding } from './compression.ts';

/**
 * What a caller takes, by its `Accept-Encoding` (RFC 9110, section 12.5.3). Where the header contradicts every form
 * that there is, the plain one is sent all the same: it says more than a refusal would.
 */
export interface AcceptedEncoding {
  /** The one to compress with: what the caller weighs highest, br before gzip; null for none. */
  readonly encoding: Encoding | null;
  /** Whether a body that is too short to be worth it is compressed too: the caller refuses the plain form. */
  readonly refusesPlain: boolean;
}

const PLAIN: AcceptedEncoding = { encoding: null, refusesPlain: false };

/** Nothing said means that all is welcome; a caller that can take a compressed form says so. */
export function readAcceptEncoding(header: string | undefined): AcceptedEncoding {
  if (header === undefined) return PLAIN;
  const weights = weightsOf(header);
  const others = weights.get('*') ?? 0;
  const br = weights.get('br') ?? others;
  // `x-gzip` is an old name of it (RFC 9110, section 8.4.1.3).
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? others;
  const greatest = Math.max(br, gzip);
  // The plain form is welcome where nothing is said of it, but last; 0 for it, or for all others, puts it out.
  const plain = weights.get('identity') ?? weights.get('*');
  const isPlainPreferred = (weights.get('identity') ?? 0) > greatest;
  if (greatest === 0 || isPlainPreferred) return PLAIN;
  return { encoding: br === greatest ? 'br' : 'gzip', refusesPlain: plain === 0 };
}

/** The names of a list with weights (RFC 9110, section 12.4.2), in their order; whatever has another form counts for nothing. */
export function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.split(',')) {
    const [, name, weight = '1'] = ELEMENT.exec(element) ?? [];
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight));
  }
  return weights;
}

const ELEMENT =
  /^[ \t]*([!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?[ \t]*$/i;
