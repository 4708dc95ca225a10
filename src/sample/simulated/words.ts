/** The words that simulated entries are written with. */
export type Words = readonly [string, ...string[]];

/**
 * Titles and sentences with gaps: `{t}` a topic, `{n}` something that is published, `{b}` a brand, `{w}` when, `{y}` a
 * year. The first of a list are used far more often than the last (Zipf's law), as words are.
 */
interface Phrases {
  readonly titles: Words;
  readonly botTitles: Words;
  readonly sentences: Words;
  readonly botSentences: Words;
  readonly nouns: Words;
  readonly times: Words;
}

export const PHRASES: { readonly ru: Phrases; readonly en: Phrases } = {
  ru: {
    titles: [
      '{t}',
      '{b}',
      '{t} | {b}',
      'Новости: {t}',
      'Всё про {t}',
      '{b}: {t}',
      '{t} и {t}',
      'Клуб «{b}»',
      '{t} каждый день',
      'Но сначала {t}',
      '{t} без воды',
      'Чат «{b}»',
      '{t} для новичков',
      'Ночной {b}',
      'А вот и {t}',
      '{b} — {t} и {n}',
      'Новое: {t}',
      'Академия {b}',
      '{n}: {t}',
    ],
    botTitles: ['{b} бот', '{b}', 'Бот: {t}', '{b} | {t}', '{t}: {n}', 'Новый {b}', 'Помощник {b}'],
    sentences: [
      'Публикуем {n}, {n} и {n}.',
      'Обсуждаем {t} и {t}.',
      'Всё про {t}: {n}, {n}.',
      'Новый выпуск {w}.',
      'Но главное — {t}.',
      'Без рекламы и спама.',
      'А ещё {n} и {n} от читателей.',
      'Для новичков и профессионалов.',
      'Собираем {n} с {y} года.',
      'Вопросы и предложения — администраторам.',
      '{n} {w}, {n} по выходным.',
      'Присылайте {n}: лучшее опубликуем.',
      'Наш друг — {b}.',
      'Никакой политики, только {t}.',
      'Ничего лишнего: {n} и {t}.',
      'Нас читают ночью и днём.',
      'Не пропустите {n} {w}.',
      'Архив ведёт {b}.',
    ],
    botSentences: [
      'Присылает {n} {w}.',
      'Ищет {t} и {n}.',
      'Отправьте слово и получите {n}.',
      'Но умеет не только {t}.',
      'Работает в личных чатах и в группах.',
      'Напоминает про {t} {w}.',
      'Не хранит сообщения.',
      'А ещё собирает {n} и {n}.',
      'Настраивается за минуту.',
      'Работает с {y} года.',
      'Сделано в {b}.',
    ],
    nouns: words(
      'новости, обзоры, статьи, советы, ссылки, разборы, подборки, анонсы, вопросы, ответы, видео, истории, заметки,' +
        ' идеи, примеры, уроки, новинки, переводы, опросы, отчёты, лекции, релизы, скидки, конкурсы, инструкции,' +
        ' шаблоны, цитаты, факты, слухи, интервью, рейтинги, прогнозы, тесты, задачи, расписания, находки, номера' +
        ' журналов, ночные эфиры, черновики, афоризмы, комментарии, чертежи, рецепты, плакаты, каталоги, дайджесты,' +
        ' протоколы, стенограммы, головоломки, открытки',
    ),
    times: words('каждый день, каждую неделю, по утрам, по понедельникам, ночью, раз в месяц, в полдень'),
  },
  en: {
    titles: [
      '{t}',
      '{b}',
      '{b} {t}',
      'All about {t}',
      '{t} daily',
      '{t} by {b}',
      '{t} and {t}',
      'The {b} Channel',
      '{t} & {n}',
      'A bit of {t}',
      '{b} Hub',
      'Another chat about {t}',
      '{b}: {t}',
      'Applied {t}',
      'Nothing but {t}',
      'At night with {b}',
      '{b} Academy',
      'The art of {t}',
    ],
    botTitles: ['{b} bot', '{b}', '{t} bot', '{b} Assistant', 'Ask {b}', '{b}: {t}', 'Auto {b}'],
    sentences: [
      'We post {n}, {n} and {n}.',
      'All about {t} and {t}.',
      'A new issue {w}.',
      'Articles on {t}, and {n} as a bonus.',
      'No ads, no spam.',
      'Also: {n} and {n} from readers.',
      'For beginners and professionals alike.',
      'Ask anything about {t}.',
      'Collecting {n} since {y}.',
      'Questions and ideas go to the admins.',
      'Fresh {n} {w}.',
      'Send us your {n}: the best are published.',
      'Friends of {b}.',
      'Nothing but {t}.',
      'As quiet as a library, as quick as the {n}.',
      'The archive is kept by {b}.',
    ],
    botSentences: [
      'Sends {n} {w}.',
      'Searches {t} and {n}.',
      'Send a word and get {n}.',
      'Works in private chats and in groups.',
      'Also collects {n}.',
      'Reminds you of {t} {w}.',
      'Stores no messages.',
      'Answers at any hour.',
      'Set up in a minute.',
      'Running since {y}.',
      'Made by {b}.',
    ],
    nouns: words(
      'news, articles, reviews, tips, links, guides, answers, questions, videos, stories, notes, ideas, examples,' +
        ' lessons, announcements, translations, polls, reports, lectures, releases, deals, contests, manuals,' +
        ' templates, quotes, facts, rumours, interviews, ratings, forecasts, tests, tasks, schedules, finds,' +
        ' anecdotes, drafts, comments, drawings, recipes, posters, catalogues, digests, minutes, transcripts,' +
        ' riddles, postcards, almanacs, alerts, appendices, audio files',
    ),
    times: words('every day, every week, each morning, on Mondays, at night, once a month, at noon'),
  },
};

/**
 * What simulated entries are about, by category. Every Russian phrase looks the same in the nominative and the
 * accusative, so that it fits after "Всё про" as well as alone.
 */
export interface Topics {
  readonly en: Words;
  readonly ru: Words;
}

/** The topics of a category; those of entries without one for every slug that is not here. */
export function topicsOf(category: string | null): Topics {
  return (category === null ? undefined : TOPICS.get(category)) ?? ANY;
}

const ANY: Topics = {
  en: ['advice', 'all sorts', 'finds', 'useful things', 'curiosities'],
  ru: ['советы', 'разное', 'находки', 'полезное', 'подборки'],
};

const TOPICS: ReadonlyMap<string, Topics> = new Map([
  ['technology', of('technology, gadgets, inventions', 'технологии, гаджеты, изобретения, прогресс')],
  ['programming', of('programming, code, algorithms, patterns', 'программирование, код, алгоритмы')],
  ['languages', of('compilers, syntax, types, scripts, parsers', 'компиляторы, синтаксис, типы, скрипты')],
  ['frameworks', of('frameworks, plugins, packages, modules', 'фреймворки, плагины, пакеты, модули')],
  ['frontend', of('frontend, interfaces, browsers, styles', 'фронтенд, интерфейсы, браузеры, стили')],
  ['mobile', of('mobile apps, phones, tablets, widgets', 'мобильные приложения, телефоны, виджеты')],
  ['gamedev', of('game engines, shaders, pixel art', 'игровые движки, шейдеры, пиксель-арт')],
  ['messenger-dev', of('bots, webhooks, stickers, chat apps', 'боты, вебхуки, стикеры, мессенджеры')],
  ['qa', of('testing, bugs, checklists, coverage', 'тестирование, баги, чек-листы, автотесты')],
  ['devops', of('containers, pipelines, monitoring, clouds', 'контейнеры, сборки, мониторинг, облака')],
  ['administration', of('servers, networks, backups, logs', 'серверы, сети, резервные копии, логи')],
  ['operating-systems', of('kernels, terminals, drivers, shells', 'ядра, терминалы, драйверы, оболочки')],
  ['databases', of('databases, queries, indexes, storage', 'базы данных, запросы, индексы, хранилища')],
  ['data-science', of('data, neural networks, models, charts', 'данные, нейросети, модели, графики')],
  ['security', of('security, passwords, ciphers, privacy', 'безопасность, пароли, шифры, приватность')],
  ['electronics', of('circuits, sensors, robots, antennas', 'микросхемы, датчики, антенны, паяльники')],
  ['geo', of('maps, routes, satellites, atlases', 'карты, маршруты, спутники, атласы')],
  ['news', of('news, headlines, events, reports', 'новости, заголовки, события, репортажи')],
  ['business', of('business, startups, sales, marketing', 'бизнес, стартапы, продажи, маркетинг')],
  ['management', of('projects, plans, teams, deadlines', 'проекты, планы, сроки, процессы')],
  ['jobs', of('jobs, interviews, internships, careers', 'вакансии, собеседования, стажировки, резюме')],
  ['communities', of('meetups, clubs, conversations, hobbies', 'встречи, клубы, беседы, увлечения')],
  ['regional', of('city life, districts, transport, weather', 'город, районы, транспорт, объявления')],
  ['blogs', of('notes, diaries, thoughts, experience', 'заметки, дневники, мысли, личный опыт')],
  ['knowledge', of('knowledge, lectures, facts, courses', 'знания, лекции, факты, курсы')],
  ['libraries', of('libraries, archives, dictionaries', 'библиотеки, архивы, словари, справочники')],
  ['science', of('science, space, experiments, physics', 'космос, опыты, открытия, исследования')],
  ['books', of('books, novels, poems, reviews', 'книги, романы, стихи, рецензии')],
  ['entertainment', of('humour, films, series, quizzes', 'юмор, кино, сериалы, викторины')],
  ['music', of('music, albums, concerts, radio', 'песни, альбомы, концерты, радио, ноты')],
  ['games', of('games, puzzles, chess, quests', 'игры, головоломки, шахматы, квесты')],
  ['tools', of('tools, reminders, tables, converters', 'инструменты, напоминания, таблицы')],
  ['moderation', of('moderation, filters, rules, antispam', 'правила, фильтры, антиспам, порядок')],
  ['dev-tools', of('editors, debuggers, snippets', 'редакторы, отладчики, репозитории')],
  ['finance', of('finance, budgets, savings, rates', 'финансы, бюджет, вклады, курсы валют')],
]);

/** How brands are spelt in Cyrillic, letter by letter. */
export const CYRILLIC: Readonly<Record<string, string>> = {
  a: 'а',
  b: 'б',
  c: 'ц',
  d: 'д',
  e: 'е',
  f: 'ф',
  g: 'г',
  h: 'х',
  i: 'и',
  k: 'к',
  l: 'л',
  m: 'м',
  n: 'н',
  o: 'о',
  p: 'п',
  q: 'к',
  r: 'р',
  t: 'т',
  u: 'у',
  v: 'в',
  w: 'в',
  x: 'кс',
  y: 'ы',
  z: 'з',
};

function of(en: string, ru: string): Topics {
  return { en: words(en), ru: words(ru) };
}

function words(list: string): Words {
  return list.split(', ') as unknown as Words;
}
