/**
 * What simulated entries are about, by category. Every Russian phrase looks the same in the nominative and the
 * accusative, so that it fits after "Всё про" as well as alone.
 */
export interface Topics {
  readonly en: Words;
  readonly ru: Words;
}

export type Words = readonly [string, ...string[]];

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

function of(en: string, ru: string): Topics {
  return { en: en.split(', ') as unknown as Words, ru: ru.split(', ') as unknown as Words };
}
