import type { RunningApi } from '../../../compose/api.ts';
import type { Parts } from '../../../compose/parts.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../texts/texts.ts';

/** The page that a one-time link opens, in English as this command line is; it can be read in the other language too. */
export function invitationUrl(publicUrl: string, token: string): string {
  const locale = LOCALES.find((one) => one === 'en') ?? DEFAULT_LOCALE;
  return `${publicUrl}/${locale}/account/sign-in?link=${token}`;
}

/** The account of whoever starts the service for themselves. */
const OWN = 'owner';
const A_DAY_MS = 86_400_000;

/** A fresh one-time link for it; null where this process serves no account pages. */
export async function ownAccount(
  { config }: Parts,
  { accounts, url }: Pick<RunningApi, 'accounts' | 'url'>,
): Promise<string | null> {
  if (accounts === null) return null;
  const { token } = await accounts.invite(OWN, A_DAY_MS);
  return invitationUrl(config.publicUrl ?? url, token);
}
