import { KINDS } from '../../../projections/listings/document.ts';
import { catalogReaderOf } from '../../compose/catalog-reader.ts';
import { SEARCH_TEXT_LENGTH, searchText } from '../../api/http/parameters.ts';
import { DEFAULT_LOCALE, inLanguage, type Locale, LOCALES } from '../../texts/texts.ts';
import { number } from '../../texts/plain.ts';
import { type SearchPage, readSearch } from '../../api/reading/search.ts';
import { UsageError } from '../../platform/errors.ts';
import { MAX_LIMIT } from '../../stores/search/port.ts';
import { commandOf } from '../command.ts';
import { argument, choice, flag, integer, textOption } from '../options.ts';
import { print, printJson } from '../output.ts';
import { table, type Columns } from '../table.ts';
import { explanationOf, explainHit } from './search/explanation.ts';

export const search = commandOf('read', {
  takes: {
    query: argument('<query>', 'what somebody typed'),
    locale: choice('<locale>', 'language of titles', LOCALES, DEFAULT_LOCALE),
    kind: choice('<kind>', 'of this kind only', KINDS),
    category: textOption('<slug>', 'of this category, and of everything below it, only'),
    limit: integer('<n>', 'hits to show', [1, MAX_LIMIT], 10),
    explain: flag('print JSON, with the query as understood and the parts of each rank'),
  },
  help: `
The order is that of the API, from the live index. docs/reference/search.md defines it, and says what each way of having a part
of the query is worth.

Example:
  npm run -s catalog -- search 'новости ИИ' --explain`,
  run: async ({ parts, config }, { query, kind = null, category = null, locale, limit, explain, json }) => {
    const q = checked(query);
    const reading = catalogReaderOf(parts, config.synonyms);
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
    print(table({ '#': 'place', ...COLUMNS }, items));
  },
});

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

const COLUMNS: Columns<ReturnType<typeof hitOf>> = {
  slug: 'slug',
  kind: 'kind',
  title: 'title',
  username: 'username',
  score: 'score',
};
