import { nameKey, searchWords } from '../../../platform/text/search-text.ts';
import { transliterate } from '../../../platform/text/transliterate.ts';
import { corrected } from './corrections.ts';
import { isHeard } from './forms.ts';
import { meantOnOtherLayout } from './layout.ts';
import type { Knowledge } from './knowledge.ts';
import { readingOf } from './reading.ts';
import type { ParsedQuery } from './parsed-query.ts';
import { usernameIn } from './usernames.ts';

/** What a query means, by what is known of words and categories. Pure. */
export function parseQuery(q: string, knowledge: Knowledge): ParsedQuery {
  const username = usernameIn(q);
  const named = username === null ? [nameKey(q)] : [nameKey(username)];
  const words = searchWords(username ?? q);
  return {
    exact: named.filter((name) => name !== ''),
    exactSound: words.map(soundOf).filter(Boolean).join(' '),
    isUsername: username !== null,
    asTyped: readingOf(username ?? q, knowledge),
    ...(username === null ? otherReading(q, knowledge) : { instead: null, because: null }),
  };
}

/** What is left of a word by its sound alone sounds like too much else: `qqqqzzzz` is not `kz`. */
function soundOf(word: string): string {
  const sound = transliterate(word);
  return isHeard(word) && !isHeard(sound) ? word : sound;
}

function otherReading(q: string, knowledge: Knowledge): Pick<ParsedQuery, 'instead' | 'because'> {
  const swapped = meantOnOtherLayout(q, knowledge);
  if (swapped !== null) {
    return { instead: readingOf(corrected(swapped, knowledge) ?? swapped, knowledge), because: 'layout' };
  }
  const right = corrected(q, knowledge);
  return right === null
    ? { instead: null, because: null }
    : { instead: readingOf(right, knowledge), because: 'slips' };
}
