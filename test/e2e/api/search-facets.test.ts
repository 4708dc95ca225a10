import { expect, test } from 'vitest';

import { forAllTests } from '../../support/for-each-test.ts';
import { categoryDefined, published } from '../../support/events.ts';
import { runPages } from '../../support/pages.ts';
import { words } from '../../support/words.ts';

/** More than a page of the index holds have `news`, few have `rare`. */
const COUNT = 90;

const api = forAllTests(async () => {
  const opened = await runPages();
  const categories = [
    categoryDefined({ subject: 'tech', title: { en: 'Crafts', ru: 'Ремёсла' } }),
    categoryDefined({ subject: 'ai', parent: 'tech', title: { en: 'AI', ru: 'ИИ' } }),
    categoryDefined({ subject: 'music', title: { en: 'Music', ru: 'Музыка' } }),
  ];
  const entries = Array.from({ length: COUNT }, (_, at) =>
    published({
      subject: `entry-${at}`,
      username: `name_${at}`,
      title: { en: at % 9 === 0 ? `Rare news ${at}` : `News ${at}` },
      kind: at % 3 === 0 ? 'bot' : 'channel',
      category: at % 5 === 0 ? 'music' : at % 2 === 0 ? 'ai' : 'tech',
    }),
  );
  await opened.project(...categories, ...entries);
  return opened;
});

interface Choice {
  readonly address: string;
  readonly title: string;
  readonly count: number | null;
}

interface Results {
  readonly count: number;
  readonly choices: readonly Choice[];
}

/** Each address once: an address may make only so many searches. */
const known = new Map<string, Promise<Results>>();

function results(address: string): Promise<Results> {
  const shown = known.get(address) ?? read(address);
  known.set(address, shown);
  return shown;
}

async function read(address: string): Promise<Results> {
  const response = await fetch(address);
  expect(response.status, address).toBe(200);
  const markup = await response.text();
  const facets = markup.slice(markup.indexOf('<div class="facets">'), markup.indexOf('<section'));
  const links = facets.matchAll(/<a\s+href="([^"]+)"[^>]*>([^<]*)(?:<span class="count">(\d+)<\/span>)?/g);
  const choices = [...links].map(([, href = '', title = '', count]) => ({
    address: new URL(href.replaceAll('&amp;', '&'), address).href,
    title: title.trim(),
    count: count === undefined ? null : Number(count),
  }));
  return { count: Number(/data-count>(\d+)/.exec(markup)?.[1]), choices };
}

test.for([
  ...words('?category=tech ?kind=bot ?kind=bot&category=ai ?q=rare ?q=rare&kind=bot'),
  ...words('?q=rare&kind=bot&category=tech ?q=news ?q=news&kind=bot ?q=news&category=ai'),
  ...words('?q=news&kind=bot&category=music'),
  '',
])('every choice of a filter has the number of entries that it leads to: /en/search%s', async (query) => {
  const { choices } = await results(`${api.url}/en/search${query}`);
  expect(choices.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['All', 'Bots', 'All categories', 'Crafts', 'Music']),
  );
  for (const { address, count } of choices) expect((await results(address)).count, address).toBe(count);
});
