import type { Locale } from '../../messages/texts.ts';

const en = {
  title: 'Find channels, bots and mini apps worth your time',
  lead: 'An open catalog in Russian and English: search it, see what the score of each entry is made of, and read all of it through an API.',
  description:
    'A catalog of channels, chats, bots and mini apps with metrics, an open score, a search in two languages, a status page and an API.',
  total: '{entries} in the catalog',
  top: 'Top of the catalog',
  whole: 'All {kind}',
  empty: 'Nothing here yet.',
  categories: 'Categories',
  allCategories: 'All categories',
  platform: 'State of the platform',
  uptime: 'Uptime over 90 days',
  statusPage: 'Status page',
  api: 'The same data through an API',
  apiText:
    'Everything on these pages comes from the API: read-only JSON, {limit} requests a day for each key, and an answer that has not changed costs nothing.',
  steps: [
    'Get a key from whoever runs this catalog; a local start prints one.',
    'Send it in the header {header}.',
    'Ask for what you need: search, entries, the top, categories, status.',
  ],
  accountStep: 'Create a key in your account.',
  account: 'Create a key',
  guide: 'Read the guide',
  reference: 'API reference',
};
type Texts = typeof en;

const ru: Texts = {
  // The hyphen is one at which no line ends.
  title: 'Каналы, боты и мини\u2011приложения, на которые не жаль времени',
  lead: 'Открытый каталог на русском и английском: ищите, смотрите, из чего складывается рейтинг каждой записи, и получайте всё это через API.',
  description:
    'Каталог каналов, чатов, ботов и мини-приложений: показатели, открытый рейтинг, поиск на двух языках, страница статуса и API.',
  total: 'В каталоге {entries}',
  top: 'Топ каталога',
  whole: 'Все {kind}',
  empty: 'Пока ничего нет.',
  categories: 'Категории',
  allCategories: 'Все категории',
  platform: 'Состояние платформы',
  uptime: 'Доступность за 90 дней',
  statusPage: 'Страница статуса',
  api: 'Те же данные через API',
  apiText:
    'Всё, что есть на этих страницах, отдаёт API: JSON только для чтения, {limit} запросов в сутки на ключ, а повтор без изменений не стоит ничего.',
  steps: [
    'Возьмите ключ у того, кто ведёт каталог; при локальном запуске он печатается сам.',
    'Передавайте его в заголовке {header}.',
    'Запрашивайте нужное: поиск, записи, топ, категории, статус.',
  ],
  accountStep: 'Создайте ключ в своём аккаунте.',
  account: 'Создать ключ',
  guide: 'Читать руководство',
  reference: 'Открыть справочник',
};

export const HOME_TEXTS: Readonly<Record<Locale, Texts>> = { ru, en };
