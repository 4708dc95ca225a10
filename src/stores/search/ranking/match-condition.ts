/** What an entry must have, in terms that both engines know. */
export type MatchCondition =
  | { readonly all: readonly MatchCondition[] }
  | { readonly any: readonly MatchCondition[] }
  | WordCondition
  /** The one, and not the other. */
  | { readonly that: MatchCondition; readonly except: MatchCondition }
  /** A word of a name has this sound inside. */
  | { readonly inside: string }
  /** A name begins with one of these sounds, or is one: whole words of it. */
  | { readonly leads: readonly string[] }
  /** It is one of these. */
  | { readonly field: 'kind' | 'subtype' | 'category'; readonly values: readonly string[] };

export interface WordCondition {
  readonly word: string;
  readonly form: 'typed' | 'sounds' | 'roots';
  readonly zone: 'names' | 'texts';
  /** Whether a word that begins with it is enough. */
  readonly begins: boolean;
}

export function all(conditions: readonly MatchCondition[]): MatchCondition {
  const [first, ...others] = conditions;
  return first !== undefined && others.length === 0 ? first : { all: conditions };
}

export function any(conditions: readonly MatchCondition[]): MatchCondition {
  const flat = conditions.flatMap((one) => ('any' in one ? one.any : [one]));
  const [first, ...others] = flat;
  return first !== undefined && others.length === 0 ? first : { any: flat };
}
