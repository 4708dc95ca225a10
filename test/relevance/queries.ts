/**
 * What people would type, and the entry of the sample that they mean. Written before anything was tuned: a query that
 * finds something else stays here and counts as a miss.
 */
export interface RelevanceQuery {
  readonly q: string;
  /** The slug of the entry that is expected first. */
  readonly expected: string;
  readonly kind?: string;
  readonly category?: string;
}

/** Names typed as they are published, or nearly so. */
const NAMES: readonly RelevanceQuery[] = [
  { q: 'чашечка java', expected: 'a-cup-of-java' },
  { q: 'A2 Operating System', expected: 'a2operatingsystem' },
  { q: 'C#', expected: 'professorweb' },
  { q: 'темная сторона', expected: 'temno' },
  { q: 'чёт приуныл', expected: 'priunil' },
  { q: 'Clojure', expected: 'clojure-ru' },
  { q: '1С чат РБ', expected: 'one1c-blr' },
  { q: 'c++ moscow', expected: 'cppmoscow-chat' },
  { q: 'Tableau в России', expected: 'tableau-ru' },
  { q: 'PlayDeck', expected: 'playdeckbot' },
];

const USERNAMES: readonly RelevanceQuery[] = [
  { q: 'a_cup_of_java', expected: 'a-cup-of-java' },
  { q: '@ru_docker', expected: 'ru-docker' },
  { q: 'mytelecloudbot', expected: 'mytelecloudbot' },
  { q: 'EvilWirelessMan', expected: 'evilwirelessman' },
  { q: 'yandex_music_bot', expected: 'yandex-music-bot' },
  { q: 'iamakulov', expected: 'iamakulov-channel' },
  { q: 'privacygroup', expected: 'privacygroup' },
  { q: 'get telegram id', expected: 'get-telegram-id-bot' },
  { q: 'account created bot', expected: 'accountcreatedbot' },
];

const PREFIXES: readonly RelevanceQuery[] = [
  { q: 'чашеч', expected: 'a-cup-of-java' },
  { q: 'фронтенд юн', expected: 'frontend-u' },
  { q: 'libreof', expected: 'libreofficeru' },
  { q: 'типичный прог', expected: 'tproger-official' },
  { q: 'типичный верст', expected: 'tpverstakchat' },
  { q: 'victoriam', expected: 'victoriametrics-ru1' },
  { q: 'онтолог', expected: 'rusontology' },
  { q: 'беспилот', expected: 'uavpro' },
];

/** Some of the words, in any order. */
const WORDS: readonly RelevanceQuery[] = [
  { q: 'docker novosibirsk', expected: 'dockernsk' },
  { q: 'системы модульные', expected: 'modularsys' },
  { q: 'system design melnik', expected: 'drim-system-design-channel' },
  { q: 'записки админа', expected: 'sysadminnotes' },
  { q: 'библиотека python', expected: 'ru-python-books' },
  { q: 'kde новости', expected: 'kde-ru-news' },
  { q: 'google таблицы', expected: 'google-spreadsheets-chat' },
  { q: 'распознавание речи', expected: 'speech-recognition-ru' },
  { q: 'android krasnodar', expected: 'androidkrd' },
  { q: 'jenkins meetup', expected: 'jenkins-spb' },
  { q: 'fantasy football', expected: 'fantongamebot' },
  { q: 'отзывы компании', expected: 'qa-bad-company' },
];

/** Names in the other script. */
const SCRIPTS: readonly RelevanceQuery[] = [
  { q: 'докер новосибирск', expected: 'dockernsk' },
  { q: 'novosti kde', expected: 'kde-ru-news' },
  { q: 'вордпресс', expected: 'wordpress1' },
  { q: 'bitrix rabota', expected: 'bitrix-work' },
  { q: 'гринплам', expected: 'greenplum-russia' },
  { q: 'математика', expected: 'matematika-org' },
  { q: 'yandeks oblako', expected: 'yandexcloud-chat' },
  { q: 'temnaya storona', expected: 'temno' },
  { q: 'mekhmat mgu', expected: 'mechmath' },
  { q: 'habrahabr', expected: 'habrapub' },
  { q: 'chat dyadi pashi', expected: 'dadapasha-chat' },
  { q: 'андроид краснодар', expected: 'androidkrd' },
  { q: 'хаскель', expected: 'haskellru' },
  { q: 'ансибл', expected: 'pro-ansible' },
];

/** Slips of the finger. */
const SLIPS: readonly RelevanceQuery[] = [
  { q: 'чашечка jaav', expected: 'a-cup-of-java' },
  { q: 'dokcer novosibirsk', expected: 'dockernsk' },
  { q: 'wordperss', expected: 'wordpress1' },
  { q: 'опреаторы мобильной связи', expected: 'opsosru' },
  { q: 'ksqdlb', expected: 'ksqldb' },
  { q: 'программсты', expected: 'coding-ru' },
  { q: 'clojrue', expected: 'clojure-ru' },
  { q: 'беспилотинки', expected: 'uavpro' },
  { q: 'libreofice', expected: 'libreofficeru' },
  { q: 'opnshift', expected: 'ru-openshift' },
  { q: 'deckhosue', expected: 'deckhouse-ru' },
  { q: 'natural langauge processing', expected: 'natural-language-processing' },
  { q: 'yandxe music', expected: 'yandex-music-bot' },
  { q: 'распознование речи', expected: 'speech-recognition-ru' },
];

const FILTERED: readonly RelevanceQuery[] = [
  { q: 'docker', category: 'devops', expected: 'ru-docker' },
  { q: 'докер', category: 'regional', expected: 'dockernsk' },
  { q: 'android', category: 'regional', expected: 'androidkrd' },
  { q: 'яндекс', category: 'music', expected: 'yandex-music-bot' },
  { q: 'postgres', category: 'databases', expected: 'postgreschat' },
  { q: 'vpn', kind: 'miniapp', expected: 'connectonbot' },
  { q: 'radio', kind: 'channel', category: 'electronics', expected: 'hwnrf' },
];

export const QUERIES: readonly RelevanceQuery[] = [
  ...NAMES,
  ...USERNAMES,
  ...PREFIXES,
  ...WORDS,
  ...SCRIPTS,
  ...SLIPS,
  ...FILTERED,
];
