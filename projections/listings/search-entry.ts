import { gluedParts, nameKey, searchWords } from '../../src/platform/text/search-text.ts';
import { transliterate } from '../../src/platform/text/transliterate.ts';
import type { SearchedText, SearchEntry } from '../../src/stores/search/port.ts';
import type { ListingView, Localized, PublishedView } from './document.ts';

/**
 * What the search index holds of a listing; null where readers see none of it. Both languages are searched, whatever
 * language a reader asks for. Categories and kinds are filters: their words are not searched.
 */
export function searchEntry(slug: string, view: ListingView): SearchEntry | null {
  if (!view.published) return null;
  const fields = searchedTexts(view);
  const names = fields.filter(({ isName }) => isName).map(({ text }) => text);
  const others = fields.filter(({ isName }) => !isName).map(({ text }) => text);
  const words = {
    names: distinct(names.map(inWords)),
    texts: distinct([...names.map(wordsOfGlued), ...others].map(inWords)),
  };
  return {
    id: slug,
    kind: view.kind,
    ...(view.subtype === null ? {} : { subtype: view.subtype }),
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
function sourcesOf(view: PublishedView): string {
  const { kind, subtype, category, username, title, tags, summary, description } = view;
  return JSON.stringify([kind, subtype, category, username, title, tags, summary, description]);
}

/** What is searched of a listing, field by field: its names, then the others, the most telling first. */
export function searchedTexts(view: PublishedView): readonly SearchedText[] {
  const { username, title, tags, summary, description } = view;
  return [
    { field: 'username', language: null, item: null, isName: true, text: username },
    ...inLanguages(title, { field: 'title', isName: true }),
    ...tags.map((text, item) => ({ field: 'tags', language: null, item, isName: false, text }) as const),
    ...inLanguages(summary, { field: 'summary', isName: false }),
    ...inLanguages(description, { field: 'description', isName: false }),
  ];
}

function inLanguages(
  text: Localized | null,
  of: Pick<SearchedText, 'field' | 'isName'>,
): readonly SearchedText[] {
  return (['ru', 'en'] as const).flatMap((language) => {
    const told = text?.[language];
    return typeof told === 'string' ? [{ ...of, language, item: null, text: told }] : [];
  });
}

/** Empty where nothing is glued together. */
function wordsOfGlued(name: string): string {
  const parts = gluedParts(name);
  return parts.length === 1 ? '' : parts.join(' ');
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
