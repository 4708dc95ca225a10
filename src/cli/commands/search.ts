import { KINDS } from '../../../projections/listings/document.ts';
import { SEARCH_TEXT_LENGTH, searchText } from '../../api/http/parameters.ts';
import { readSearch, type SearchPage } from '../../api/reading/read-search.ts';
import { createCatalogReader, type CatalogReader } from '../../api/reading/catalog-reader.ts';
import type { Parts } from '../../compose/parts.ts';
import { UsageError } from '../../platform/errors.ts';
import { readAlias } from '../../stores/aliases.ts';
import { MAX_LIMIT } from '../../stores/search/port.ts';
import type { Synonyms } from '../../stores/search/query/synonyms.ts';
import { number } from '../../texts/english-amounts.ts';
import { DEFAULT_LOCALE, inLanguage, type Locale, LOCALES } from '../../texts/texts.ts';
import { commandOf } from '../command.ts';
import { argument, choice, flag, integer, textOption } from '../option-builders.ts';
import { print, printJson } from '../output.ts';
import { fieldColumns, table } from '../table.ts';
import { explainHit, explanationOf } from './search/explanation.ts';

export const search = commandOf('read', {
  takes: {
    query: argument('<query>', 'what somebody typed'),
    locale: choice('<locale>', 'language of titles', LOCALES, DEFAULT_LOCALE),
    kind: choice('<kind>', 'of this kind only', KINDS),
    category: textOption('<slug>', 'of this category, and of everything below it, only'),
    limit: integer('<n>', 'hits to show', [1, MAX_LIMIT], 10),
    explain: flag('print JSON, with the query as understood and the parts of each rank'),
  },
  run: async ({ parts }, { query, kind = null, category = null, locale, limit, explain, json }) => {
    const q = checked(query);
    const reading = catalogReaderOf(parts, parts.config.synonyms);
    const asked = { q, kind, category, page: 1, limit, keyId: 'command line' };
    const found = await readSearch(reading, asked);
    const { total, totalIsExact, taxonomy } = found;
    const explanation = explain ? explanationOf(reading.understood(q, taxonomy)) : null;
    const items = found.entries.map((entry, at) => ({
      place: at + 1,
      ...hitOf(entry, locale),
      ...(explanation && { rank: explainHit(explanation.plan, entry.view) }),
    }));
    if (json || explain) {
      const counts = { total, total_exact: totalIsExact };
      const understood = explanation && { understood: explanation.shown };
      return printJson({ query: q, locale, limit, kind, category, ...counts, ...understood, items });
    }
    if (items.length === 0) return print('Nothing matches.');
    print(`${number(items.length)} of ${totalIsExact ? '' : 'more than '}${number(total)}:`);
    print(table({ '#': 'place', ...fieldColumns('slug', 'kind', 'title', 'username', 'score') }, items));
  },
});

/** As long as a person waits for one answer; the API gives its callers less. In milliseconds. */
const STORE_LIMIT_MS = 20_000;
const MEMORY_BYTES = 8 * 2 ** 20;

/** What the API answers searches from, for one process that asks a single time. */
export function catalogReaderOf(
  { documents, search: engine, clock }: Parts,
  synonyms: Synonyms | null,
): CatalogReader {
  return createCatalogReader({
    documents,
    search: engine,
    live: (name) => readAlias(documents, name),
    clock,
    confirmMs: 500,
    storeLimitMs: STORE_LIMIT_MS,
    maxBytes: MEMORY_BYTES,
    ...(synonyms === null ? {} : { synonyms }),
  });
}

function checked(typed: string): string {
  const { success, data } = searchText.schema.safeParse(typed);
  if (success) return data;
  throw new UsageError(
    `The query must be text of 1 to ${SEARCH_TEXT_LENGTH} characters, none of them a control character.`,
  );
}

function hitOf({ id, view }: SearchPage['entries'][number], locale: Locale) {
  return {
    slug: id,
    kind: view.kind,
    category: view.category,
    title: inLanguage(view.title, locale) ?? view.username,
    username: view.username,
    score: view.score.value,
  };
}
