import type { Locale } from '../../messages/texts.ts';

const en = {
  title: 'Catalog',
  found: 'Search: {q}',
  description: 'Search the catalog of channels, chats, bots and mini apps by name, username and topic.',
  top: 'Best by score',
  results: 'Results',
  more: 'More than {entries}',
  none: 'Nothing was found for “{q}”.',
  noneHint: 'Try another word or the other language, or remove a filter. Typos are forgiven.',
  kinds: 'Kind',
  categories: 'Category',
  any: 'All categories',
  pages: 'Pages',
  prev: 'Previous',
  next: 'Next',
  page: 'Page {page} of {pages}',
};
type Texts = typeof en;

const ru: Texts = {
  title: 'Каталог',
  found: 'Поиск: {q}',
  description: 'Поиск по каталогу каналов, чатов, ботов и мини-приложений: по названию, имени и теме.',
  top: 'Лучшее по рейтингу',
  results: 'Результаты',
  more: 'Больше чем {entries}',
  none: 'По запросу «{q}» ничего не найдено.',
  noneHint: 'Попробуйте другое слово или другой язык либо снимите фильтр. Опечатки прощаются.',
  kinds: 'Вид',
  categories: 'Категория',
  any: 'Все категории',
  pages: 'Страницы',
  prev: 'Назад',
  next: 'Дальше',
  page: 'Страница {page} из {pages}',
};

export const SEARCH_TEXTS: Readonly<Record<Locale, Texts>> = { ru, en };
