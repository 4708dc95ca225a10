import { rootOf } from './roots.ts';

/** Words that tell little, or nothing, of what is looked for. */

const STOP = wordsOf(`
  а без более бы быть в вам вас во вот все всё где да для до его ее если есть еще же за и из или им их к как какой
  когда ко который ли либо мне мой мы на над не нет но ну о об один он она они от по под при про с со свой так такой там
  то только тот ты у уже чем что чтобы это этот я самый нужен нужна нужно нужны можно хочу найти ищу посоветуйте подскажите
  лучший лучшие лучшая хороший хорошие лучше хорошо какая какое какие какую каких куда откуда зачем почему сколько кто
  кого чего кому чему кем ним них него неё нее нам нами нас меня мною тебя тебе себя себе моя моё мое мои мою моего моей
  моих твой твоя ваш ваша ваше ваши наш наша наше наши свою своё свое свои своего своей этой этого этих эта эти той того
  тем теми тоже также вот будет был была были были через между после перед около здесь тут сейчас сегодня можете
  подскажет посоветует стоит надо
  a an and any are as at be best by can do does for from good how i in into is it its me my of on or our some that the
  their there these this to top want was we what when where which who why with you your find need looking
  am been being could did doing done during each got had has have having he her him his if may me might mine more most
  must not now other ours own same shall she should so such than them then they those through too under until us very
  will would yours today tonight out off
`);

/** Words that are frequent in such catalogs, whatever an entry is about: they weigh half. */
const FREQUENT = new Set(
  Array.from(
    wordsOf(`
    новый россия русский русскоязычный российский мир мировой день год большой маленький любитель бесплатно бесплатный
    онлайн официальный полезный интересный начинающий новичок урок курс материал ресурс подборка помощь общение обсуждение
    вопрос ответ совет дом домашний купить скачать смотреть читать слушать заказать ремонт отзыв обзор сервис система
    разработчик разработка программа инструмент технология работа сообщество клуб команда друг человек тема всё каждый
    новичков новичкам начинающих учить учиться научиться изучать изучить выучить освоить
    сделать создать стать начать выбрать узнать получить использовать создание
    голосовой большой язык личный свой поиск детский женский мужской московский русски цена отдых мама
    russian russia new free online official daily world beginner beginners lesson lessons course courses tutorial
    tutorials guide tips help review reviews service system tools tool developer developers development work community
    club team talk talks people global real home learn learning language download watch read listen play ask buy search
  `),
    rootOf,
  ),
);

/** Words of wishes and questions: they say nothing where something else was asked for, and are no part of what it is called. */
const ASKING = wordsOf(`
  хотеть хотим хотел хотела хотелось хочется желаю пожалуйста плиз спасибо привет здравствуйте народ ребята
  помогите помоги скажите скажи дайте дай дать покажите покажи показать расскажите расскажи рассказать объясните объяснить
  порекомендуйте порекомендуй рекомендуйте посоветуй советуете подскажи подсказать найдите находить нашел искать
  поискать отыскать существует существуют бывает бывают происходит называется значит сделать делать
  создать создавать получить получать узнать узнавать понять понимать использовать пользоваться
  выбрать выбирать взять брать смочь могу может можем умеет уметь нравится знаю знает знаете думаете
  правильно быстро просто легко бесплатно даром самому самой самостоятельно нормальный нормально классный классные крутой крутые топ топовые
  популярный популярные известный известные любой любые разный разные нибудь самые самая самое самого
  вообще именно пора способ способы вариант варианты насчет пример примеры
  want wants wanted wanna like please thanks hello hi hey guys anyone anybody someone somebody something
  anything everything somewhere anywhere help tell show give recommend recommended recommendation
  recommendations suggest suggestion suggestions advise advice know understand explain happen happens happening
  use used using make making create creating get getting
  finding search searching look looks take taking try trying choose pick
  easy easily quickly fast simple simply cool nice great popular famous favorite favourite way ways
  about every really actually just ever
`);

const QUESTIONS = wordsOf(`
  как какой какая какое какие какую каких где куда откуда когда кто кого кому чем что чего почему зачем сколько
  how what where which who when why
`);

/** Whether it makes a question of what it is said with. */
export function isQuestionWord(word: string): boolean {
  return QUESTIONS.has(word);
}

export function isAsking(word: string): boolean {
  return ASKING.has(word);
}

export function isStopWord(word: string): boolean {
  return STOP.has(word);
}

export function isFrequent(word: string): boolean {
  return FREQUENT.has(rootOf(word));
}

/** In the form of `searchWords`. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().replaceAll('ё', 'е').replaceAll('й', 'и').split(/\s+/));
}
