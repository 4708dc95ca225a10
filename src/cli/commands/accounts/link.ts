import { DEFAULT_LOCALE, LOCALES } from '../../../api/messages/texts.ts';

/** The page that a one-time link opens, in English as this command line is; it can be read in the other language too. */
export function invitationUrl(publicUrl: string, token: string): string {
  const locale = LOCALES.find((one) => one === 'en') ?? DEFAULT_LOCALE;
  return `${publicUrl}/${locale}/account/sign-in?link=${token}`;
}
