import type { Locale } from '../../messages/texts.ts';

/** What stands on every page, and what many pages say. Both languages are written by hand; `en` says which texts there are. */
const en = {
  product: 'Catalog',
  skip: 'Skip to the content',
  sections: 'Sections',
  languages: 'Languages',
  catalog: 'Catalog',
  categories: 'Categories',
  status: 'Status',
  guide: 'Guide',
  reference: 'API reference',
  footer: {
    about:
      'Channels, chats, bots and mini apps with their metrics and an open score, and the state of the platform they live on.',
    explore: 'Explore',
    developers: 'For developers',
    machine: 'OpenAPI document',
    feed: 'Incidents as a feed',
    home: 'Front page',
  },
  kinds: { channel: 'Channels', bot: 'Bots', miniapp: 'Mini apps' },
  kind: { channel: 'Channel', bot: 'Bot', miniapp: 'Mini app' },
  chat: 'Chat',
  allKinds: 'All',
  verified: 'Verified',
  flags: { scam: 'Scam', fake: 'Fake', restricted: 'Restricted' },
  score: 'Catalog score',
  scoreOf: 'Catalog score: {score} of 100',
  preliminary: 'preliminary',
  uncategorised: 'No category',
  subscribers: { one: '{count} subscriber', few: '', many: '', other: '{count} subscribers' },
  monthlyUsers: { one: '{count} user a month', few: '', many: '', other: '{count} users a month' },
  entries: { one: '{count} entry', few: '', many: '', other: '{count} entries' },
  states: { up: 'Works', degraded: 'Problems', down: 'Down', unknown: 'Unknown' },
  search: {
    label: 'Search the catalog',
    placeholder: 'Name, @username or topic',
    button: 'Search',
    live: '{entries} found',
    all: 'All results',
  },
  showTable: 'The numbers as a table',
  units: { d: 'd', h: 'h', min: 'min', s: 's', ms: 'ms' },
};

export type ShellTexts = typeof en;

const ru: ShellTexts = {
  product: 'Каталог',
  skip: 'К содержанию',
  sections: 'Разделы',
  languages: 'Языки',
  catalog: 'Каталог',
  categories: 'Категории',
  status: 'Статус',
  guide: 'Руководство',
  reference: 'Справочник API',
  footer: {
    about:
      'Каналы, чаты, боты и мини-приложения с показателями и открытым рейтингом, а также состояние платформы, на которой они живут.',
    explore: 'Каталог',
    developers: 'Разработчикам',
    machine: 'Документ OpenAPI',
    feed: 'Лента инцидентов',
    home: 'Главная',
  },
  kinds: { channel: 'Каналы', bot: 'Боты', miniapp: 'Мини-приложения' },
  kind: { channel: 'Канал', bot: 'Бот', miniapp: 'Мини-приложение' },
  chat: 'Чат',
  allKinds: 'Все',
  verified: 'Подтверждено',
  flags: { scam: 'Мошенничество', fake: 'Подделка', restricted: 'Ограничено' },
  score: 'Рейтинг каталога',
  scoreOf: 'Рейтинг каталога: {score} из 100',
  preliminary: 'предварительный',
  uncategorised: 'Без категории',
  subscribers: {
    one: '{count} подписчик',
    few: '{count} подписчика',
    many: '{count} подписчиков',
    other: '{count} подписчика',
  },
  monthlyUsers: {
    one: '{count} пользователь в месяц',
    few: '{count} пользователя в месяц',
    many: '{count} пользователей в месяц',
    other: '{count} пользователя в месяц',
  },
  entries: {
    one: '{count} запись',
    few: '{count} записи',
    many: '{count} записей',
    other: '{count} записи',
  },
  states: { up: 'Работает', degraded: 'Перебои', down: 'Не работает', unknown: 'Неизвестно' },
  search: {
    label: 'Поиск по каталогу',
    placeholder: 'Название, @имя или тема',
    button: 'Найти',
    live: 'Найдено: {entries}',
    all: 'Все результаты',
  },
  showTable: 'Те же числа таблицей',
  units: { d: 'д', h: 'ч', min: 'мин', s: 'с', ms: 'мс' },
};

export const SHELL_TEXTS: Readonly<Record<Locale, ShellTexts>> = { ru, en };
