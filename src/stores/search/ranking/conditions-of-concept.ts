import { isStopWord } from '../query/common-words.ts';
import { lettersIn } from '../query/word-forms.ts';
import type { Concept, Word } from '../query/parsed-query.ts';
import { transliterate } from '../../../platform/text/transliterate.ts';
import { all, any, type MatchCondition, type WordCondition } from './match-condition.ts';
import type { Part } from './query-plan.ts';
import { WAYS, type What } from './match-way-values.ts';

/** How an entry may have what a part of a query means, and how much each way tells. Pure. */

/** One way of having it. */
export interface Evidence {
  readonly what: What;
  /** How much it tells: from 10, for its own words in a name. */
  readonly value: number;
  readonly condition: MatchCondition;
}

/** What an entry of a category that the part names is worth beside its words. */
export const IN_CATEGORY = 1.4;

/** Beginnings of fewer letters fit too many words to count as much. */
const LONG = 4;

type Zone = WordCondition['zone'];

/** The ways, the most telling first, but for longer terms: an entry counts for the first one that it fulfils. */
export function evidenceOf(concept: Concept): readonly Evidence[] {
  const { words, synonyms, each, related, longer, longerTerms, isWhole, categories, kind, subtype } = concept;
  if (kind !== null) {
    const ofKind: MatchCondition = { field: 'kind', values: [kind] };
    return listed([
      ['own word of kind in a name', whole([words, ...synonyms], 'names')],
      ['the very kind', subtype === null ? ofKind : { field: 'subtype', values: [subtype] }],
      ['own word of kind in a text', whole([words], 'texts')],
      ...(subtype === null ? [] : ([['the kind', ofKind]] as const)),
    ]);
  }
  const least = Math.min(...words.map(({ typed }) => lettersIn(typed)));
  const begins = begun(words, 'names');
  const others = any(longer.filter((root) => root.length >= LONG).map((root) => ({ inside: root })));
  const glued = synonyms.filter((term) => term.length === 1);
  // `IT` is a synonym, and `it` stands in every other text.
  const telling = synonyms.filter((term) => !term.every(({ typed }) => isStopWord(typed)));
  const near = [whole(related, 'texts'), begun(words, 'texts'), ...beforeBot(related)];
  // What several ways ask for is one condition: an engine knows it again.
  const own = whole([words], 'names');
  const called = whole(synonyms, 'names');
  const ways = listed([
    ['own words lead a name', leading([words], own)],
    ['own words in a name', asTyped(words)],
    ['its words in another form in a name', own],
    ['each of its words, or a synonym, in a name', all(each.map((terms) => whole(terms, 'names')))],
    ['a synonym leads a name', leading(synonyms, called)],
    ['a synonym in a name', called],
    // What begins with a whole word is no nearer than what has it inside.
    ...(isWhole && least >= LONG ? [] : ([[beginningOf(least), unless(others, begins)]] as const)),
    ['inside of a name', unless(others, inside([words]))],
    ['a synonym inside of a name', unless(others, inside(glued))],
    ['something near in a name', whole(related, 'names')],
    ['own words in a text', whole([words], 'texts')],
    ['a synonym in a text', whole(telling, 'texts')],
    ['the category', any(categories.length === 0 ? [] : [{ field: 'category', values: categories }])],
    ['something near in a text', any(near)],
    ['another word in a name begins with it', longer.length === 0 ? any([]) : begins],
  ]);
  // First, though it tells little: who has it has its words in a name as well.
  return [...listed([['a longer term in a name', whole(longerTerms, 'names')]]), ...ways];
}

/** The ways by which entries match. */
export function matchingWays(evidence: readonly Evidence[]): readonly Evidence[] {
  return evidence.filter(({ what }) => WAYS[what].isOrder !== true);
}

/** Any of them is having it in a way that tells something by itself. */
export function tellingConditions({ evidence }: Part): readonly MatchCondition[] {
  const telling = matchingWays(evidence).filter(({ what }) => WAYS[what].isWeak !== true);
  return telling.map(({ condition }) => condition);
}

/** Its own words, or a synonym, in a name. */
export function namedEvidenceOf({ words }: Concept): readonly Evidence[] {
  return listed([['own words in a name', whole([words], 'names')]]);
}

function unless(except: MatchCondition, that: MatchCondition): MatchCondition {
  return isEmpty(that) || isEmpty(except) ? that : { that, except };
}

function isEmpty(condition: MatchCondition): boolean {
  const parts = 'any' in condition ? condition.any : 'all' in condition ? condition.all : null;
  return parts?.length === 0;
}

function beginningOf(least: number): What {
  if (least >= LONG) return 'a word in a name begins with it';
  return least > 1 ? 'a word in a name begins with a short part' : 'a word in a name begins with a letter';
}

function listed(ways: readonly (readonly [What, MatchCondition])[]): readonly Evidence[] {
  return ways
    .filter(([, condition]) => !isEmpty(condition))
    .map(([what, condition]) => ({ what, value: WAYS[what].value, condition }))
    .toSorted((one, other) => other.value - one.value);
}

/** Any of these terms, with which a name begins that has it. It is no other way of having them: who has it has them in a name. */
function leading(terms: readonly (readonly Word[])[], named: MatchCondition): MatchCondition {
  const sounds = terms.map((words) =>
    words.map(({ typed, sound }) => sound || transliterate(typed)).join(' '),
  );
  const leads = [...new Set(sounds)].filter((sound) => sound.trim() !== '');
  return leads.length === 0 ? any([]) : all([named, { leads }]);
}

/** Any of these terms: all words of it. */
function whole(terms: readonly (readonly Word[])[], zone: Zone): MatchCondition {
  const known = terms.filter((term) => term.length > 0);
  return any(known.map((term) => all(term.map((word) => any(wholeIn(word, zone))))));
}

/** A whole term, each word as it sounds. */
function asTyped(words: readonly Word[]): MatchCondition {
  return all(words.flatMap((word) => wholeIn({ ...word, roots: [] }, 'names')));
}

function wholeIn({ typed, sound, roots }: Word, zone: Zone): readonly MatchCondition[] {
  if (sound === '') return [{ word: typed, form: 'typed', zone, begins: false }];
  return [
    { word: sound, form: 'sounds', zone, begins: false },
    ...roots.map((root) => ({ word: root, form: 'roots', zone, begins: false }) as const),
  ];
}

/** Words glued to the `bot` that ends a word of a name. */
function beforeBot(terms: readonly (readonly Word[])[]): readonly MatchCondition[] {
  const words = terms.flatMap((term) => (term.length === 1 ? term : [])).filter(({ sound }) => sound !== '');
  return words.flatMap(({ typed }) =>
    [`${typed}bot`, `${typed}robot`].map(
      (name) => ({ word: transliterate(name), form: 'sounds', zone: 'names', begins: false }) as const,
    ),
  );
}

function begun(words: readonly Word[], zone: Zone): MatchCondition {
  return all(
    words.map(({ typed, sound }) =>
      any([
        { word: typed, form: 'typed', zone, begins: true } as const,
        ...(lettersIn(typed) >= LONG && sound !== ''
          ? [{ word: sound, form: 'sounds', zone, begins: true } as const]
          : []),
      ]),
    ),
  );
}

function inside(terms: readonly (readonly Word[])[]): MatchCondition {
  const long = terms.filter((words) =>
    words.every(({ typed, sound }) => sound !== '' && lettersIn(typed) >= LONG),
  );
  return any(long.map((words) => all(words.map(insideOf))));
}

/** Of a word that sounds short (`book`) it is enough to begin a word of a name as it is typed, or to stand before its `bot`. */
function insideOf({ typed, sound }: Word): MatchCondition {
  if (sound.length > LONG || (sound.length === LONG && /^[a-z]/.test(typed))) return { inside: sound };
  return any([{ word: typed, form: 'typed', zone: 'names', begins: true }, { inside: `${sound}bot` }]);
}
