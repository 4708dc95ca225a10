import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ListingView } from '../../../../projections/listings/document.ts';
import { listings } from '../../../../projections/listings/index.ts';
import { entries, searchEntry } from '../../../../projections/listings/search-entry.ts';
import { refusal } from '../../../../src/stores/search/checks.ts';
import { entryDigest } from '../../../../src/stores/search/port.ts';
import { arbitraryHistory } from '../../../support/arbitrary-events.ts';
import { decoded, published, type Told } from '../../../support/events.ts';
import { byDocument, fold, LAW_CASES } from '../../../support/laws.ts';
import { withoutSurroundings } from '../../../support/surroundings.ts';

type Registers = Parameters<typeof listings.view>[1];

function view(...events: readonly ReturnType<typeof published>[]): ListingView {
  return listings.view('ai-news', fold(listings, events.map(decoded)) as Registers);
}

function entryOf(told: Told = {}) {
  return searchEntry('ai-news', view(published(told)));
}

describe('the search entry of a listing', () => {
  test('holds its names and texts of both languages, and what it is filtered and ordered by', () => {
    const entry = entryOf({
      username: 'AI_News',
      title: { ru: 'Новости ИИ', en: 'AI News!' },
      summary: { en: 'Daily digest' },
      description: { ru: 'Ещё больше' },
      tags: ['ML', 'ml'],
      category: 'data-science',
    });
    expect(entry).toEqual({
      id: 'ai-news',
      kind: 'channel',
      category: 'data-science',
      score: 0,
      exact: ['ai_news', 'новости ии', 'ai news!'],
      names: ['ai news', 'новости ии'],
      texts: ['ml', 'daily digest', 'еще больше'],
      transliterated: { names: ['ai nevs', 'novosti i'], texts: ['ml', 'daili digest', 'eshe bolshe'] },
    });
  });

  test('tells which sort of channel it is, where that is known', () => {
    expect(entryOf({ subtype: 'group' })).toMatchObject({ kind: 'channel', subtype: 'group' });
    expect(entryOf()).not.toHaveProperty('subtype');
  });

  test('is another one where the subtype is', () => {
    const [group, broadcast] = ['group', 'broadcast'].map((subtype) => view(published({ subtype })));
    if (!group || !broadcast) throw new Error('Nothing was published');
    expect(entries.same('ai-news', group, broadcast)).toBe(false);
    expect(entries.same('ai-news', group, group)).toBe(true);
  });

  test('takes glued names apart among the texts', () => {
    const entry = entryOf({ username: 'AccountCreatedBot', title: { en: 'PDFTools' } });
    expect(entry?.names).toEqual(['accountcreatedbot', 'pdftools']);
    expect(entry?.texts).toEqual(['account created bot', 'pdf tools']);
  });
});

test('every listing has an entry that every engine accepts, made of nothing but its view', () => {
  fc.assert(
    fc.property(arbitraryHistory(listings.topics), (history) => {
      for (const [slug, events] of byDocument(listings, history.map(decoded))) {
        const shown = listings.view(slug, fold(listings, events) as Registers);
        const entry = searchEntry(slug, shown);
        expect(entry === null).toBe(!shown.published);
        if (entry === null) continue;
        expect(refusal([entry])).toBeNull();
        const { transliterated } = entry;
        for (const texts of [
          entry.exact,
          entry.names,
          entry.texts,
          transliterated.names,
          transliterated.texts,
        ]) {
          expect(new Set(texts).size).toBe(texts.length);
          expect(texts).not.toContain('');
        }
        withoutSurroundings(() => {
          expect(searchEntry(slug, structuredClone(shown))).toEqual(entry);
        });
        expect(entryDigest(entry)).toBe(entryDigest(structuredClone(entry)));
      }
    }),
    { numRuns: Math.min(LAW_CASES, 300) },
  );
});
