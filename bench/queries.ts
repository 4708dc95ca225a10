import { oneOf, type Random } from '../src/sample/random.ts';
import type { Entry } from './filling.ts';

/** What people type into a search for an entry, and how often: made up, but in realistic shares. */
export interface Query {
  readonly q: string;
  readonly kind: string | null;
  /** One letter, which very many words begin with. */
  readonly isBroad: boolean;
}

const LETTERS = Array.from('aоbнcкdпtрsвmигeл');
const KINDS = ['channel', 'bot', 'miniapp', null, null, null];

export function makeQuery({ username, titles }: Entry, random: Random): Query {
  const one = <T>(items: readonly T[]): T => oneOf(random, items);
  const title = one(titles);
  const words = title.split(/\s+/u).filter((word) => word.length > 1);
  const word = one(words.length > 0 ? words : [title]);
  const kind = one(KINDS);
  const share = random.uniform();
  const query = (q: string, isBroad = false): Query => ({ q, kind, isBroad });
  if (share < 0.1) return query(one(LETTERS), true);
  if (share < 0.3) return query(title);
  if (share < 0.45) return query(word);
  if (share < 0.65) return query(Array.from(word).slice(0, 4).join(''));
  if (share < 0.75) return query(username);
  if (share < 0.9) return query(misspelt(word, random));
  return query(`${one(words)} ${Array.from(word).slice(0, 3).join('')}`);
}

/** With one letter left out, or two neighbours swapped. */
function misspelt(word: string, random: Random): string {
  const letters = Array.from(word);
  const at = Math.floor(random.uniform() * (letters.length - 1));
  const [first = '', second = ''] = letters.slice(at, at + 2);
  letters.splice(at, 2, ...(random.uniform() < 0.5 ? [second] : [second, first]));
  return letters.join('');
}
