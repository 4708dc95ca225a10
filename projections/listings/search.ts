import { nameKey, searchWords } from '../../src/platform/search-text.ts';
import { transliterate } from '../../src/platform/transliterate.ts';
import type { SearchEntry } from '../../src/stores/search/port.ts';
import type { ListingView, Localized, PublishedView } from './document.ts';

/**
 * What the search index holds of a listing; null where readers see none of it. Both languages are searched, whatever
 * language a reader asks for. Categories and kinds are filters: their words are not searched.
 */
export function searchEntry(slug: string, view: ListingView): SearchEntry | null {
  if (!view.published) return null;
  const names = [view.username, ...textsOf(view.title)];
  const words = { names: distinct(names.map(inWords)), texts: distinct(textsFor(view).map(inWords)) };
  return {
    id: slug,
    kind: view.kind,
    category: view.category,
    score: view.score.value,
    exact: distinct(names.map(nameKey)),
    ...words,
    transliterated: {
      names: distinct(words.names.map(inOneSpelling)),
      texts: distinct(words.texts.map(inOneSpelling)),
    },
  };
}

/** What the entries of views are, without making them: most measurements change the score, and nothing else. */
export const entries = {
  has: (view: ListingView): boolean => view.published,
  same: (slug: string, a: ListingView, b: ListingView): boolean => {
    if (!a.published || !b.published) return a.published === b.published;
    if (a.score.value !== b.score.value) return false;
    return (
      sourcesOf(a) === sourcesOf(b) ||
      JSON.stringify(searchEntry(slug, a)) === JSON.stringify(searchEntry(slug, b))
    );
  },
};

/** What an entry is made of, beside the score. */
function sourcesOf({ kind, category, username, title, tags, summary, description }: PublishedView): string {
  return JSON.stringify([kind, category, username, title, tags, summary, description]);
}

/** What is searched beside the names, the most telling first. */
function textsFor({ username, title, tags, summary, description }: PublishedView): readonly string[] {
  const glued = [username, ...textsOf(title)].map(wordsOfGlued);
  return [...glued, ...tags, ...textsOf(summary), ...textsOf(description)];
}

/** `AccountCreatedBot` as `Account Created Bot`; empty where nothing is glued together. */
function wordsOfGlued(name: string): string {
  const apart = name.replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
  return apart === name ? '' : apart;
}

function textsOf(text: Localized | null): readonly string[] {
  return [text?.ru, text?.en].filter((one) => typeof one === 'string');
}

function inWords(text: string): string {
  return searchWords(text).join(' ');
}

function inOneSpelling(words: string): string {
  return words.split(' ').map(transliterate).filter(Boolean).join(' ');
}

/** Without repetitions and empty ones, in the order given. */
function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== '');
}
