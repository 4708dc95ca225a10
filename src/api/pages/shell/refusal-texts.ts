import type { Locale } from '../../messages/texts.ts';

/** What a page says that there is not. */
const en = {
  missing: {
    title: 'There is nothing at this address',
    text: 'The entry may have been unpublished, or the address was mistyped. Try a search.',
  },
  busy: {
    title: 'Too many searches from your address',
    text: 'The public pages answer only so many searches from one address. Wait a little, or use the API with a key of your own.',
  },
  unavailable: {
    title: 'The catalog does not answer at the moment',
    text: 'It usually takes a few seconds. The state of the platform is shown all the same.',
  },
  method: { title: 'This page can only be read', text: 'Open it with an ordinary link.' },
  fault: {
    title: 'Something broke on our side',
    text: 'It has been noted. Try again in a moment.',
  },
  toSearch: 'Search the catalog',
  toStatus: 'State of the platform',
  toKeys: 'About the API',
};

export type RefusalTexts = typeof en;

const ru: RefusalTexts = {
  missing: {
    title: 'По этому адресу ничего нет',
    text: 'Возможно, запись сняли с публикации или в адресе опечатка. Попробуйте поиск.',
  },
  busy: {
    title: 'Слишком много поисков с вашего адреса',
    text: 'Открытые страницы отвечают лишь на ограниченное число поисков с одного адреса. Подождите немного или возьмите ключ API.',
  },
  unavailable: {
    title: 'Каталог сейчас не отвечает',
    text: 'Обычно это длится несколько секунд. Состояние платформы показывается и сейчас.',
  },
  method: { title: 'Эту страницу можно только читать', text: 'Откройте её по обычной ссылке.' },
  fault: {
    title: 'На нашей стороне что-то сломалось',
    text: 'Мы это записали. Попробуйте ещё раз через мгновение.',
  },
  toSearch: 'Искать в каталоге',
  toStatus: 'Состояние платформы',
  toKeys: 'Об API',
};

export const REFUSAL_TEXTS: Readonly<Record<Locale, RefusalTexts>> = { ru, en };
