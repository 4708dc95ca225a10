import type { Locale } from '../../messages/texts.ts';

const en = {
  title: 'Categories',
  description: 'All categories of the catalog, with how many channels, bots and mini apps stand in each.',
  trail: 'Where you are',
  within: 'Subcategories',
  kinds: 'Kinds',
  empty: 'Nothing is published in this category at the moment.',
  about: 'The best entries of the category “{title}” by the open score of the catalog: {entries}.',
  shown: 'The first {count} by score. A search finds the others.',
};
type Texts = typeof en;

const ru: Texts = {
  title: 'Категории',
  description: 'Все категории каталога: сколько в каждой каналов, ботов и мини-приложений.',
  trail: 'Где вы находитесь',
  within: 'Подкатегории',
  kinds: 'Виды записей',
  empty: 'Сейчас в этой категории ничего не опубликовано.',
  about: 'Лучшее в категории «{title}» по открытому рейтингу каталога: {entries}.',
  shown: 'Первые {count} по рейтингу. Остальное найдёт поиск.',
};

export const CATEGORY_TEXTS: Readonly<Record<Locale, Texts>> = { ru, en };
