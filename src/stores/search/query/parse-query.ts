import { nameKey, searchWords } from '../../../platform/text/search-text.ts';
import { transliterate } from '../../../platform/text/transliterate.ts';
import { isHeard } from './word-forms.ts';
import { corrected, meantOnOtherLayout } from './typing-slips.ts';
import type { Knowledge } from './knowledge.ts';
import { readingOf } from './recognize-terms.ts';
import type { ParsedQuery } from './parsed-query.ts';

/** What a query means, by what is known of words and categories. Pure. */
export function parseQuery(q: string, knowledge: Knowledge): ParsedQuery {
  const username = usernameIn(q);
  const meant = username ?? q;
  return {
    exact: [nameKey(meant)].filter((name) => name !== ''),
    exactSound: searchWords(meant).map(soundOf).filter(Boolean).join(' '),
    isUsername: username !== null,
    asTyped: readingOf(meant, knowledge),
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
  if (right === null) return { instead: null, because: null };
  return { instead: readingOf(right, knowledge), because: 'slips' };
}

/**
 * A username, in the forms in which people pass it on: `@name`, `t.me/name`, `https://t.me/s/name/123?before=1`,
 * `tg://resolve?domain=name`, `name.t.me`.
 */
const NAME = '[a-z0-9_]{2,64}';
const FORMS: readonly RegExp[] = [
  new RegExp(`^@(${NAME})$`, 'i'),
  new RegExp(
    `^(?:https?:\\/\\/)?(?:www\\.)?(?:t|telegram)\\.(?:me|dog)\\/(?:s\\/)?@?(${NAME})(?:[\\/?#].*)?$`,
    'i',
  ),
  new RegExp(`^(?:https?:\\/\\/)?(${NAME})\\.t\\.me(?:[\\/?#].*)?$`, 'i'),
  new RegExp(`^tg:(?:\\/\\/)?resolve\\/?\\?(?:.*&)?domain=(${NAME})(?:&.*)?$`, 'i'),
];

/** The username that was typed; null where it is no form of one. */
function usernameIn(q: string): string | null {
  // Marks of direction and the like are copied along with names, and nobody sees them.
  const seen = q.replaceAll(/\p{Cf}/gu, '').trim();
  const found = FORMS.map((form) => form.exec(seen)?.[1]);
  return found.find((name) => name !== undefined) ?? null;
}
