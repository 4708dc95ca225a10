import enAccount from './en/account.json' with { type: 'json' };
import enApi from './en/api.json' with { type: 'json' };
import enDocs from './en/docs.json' with { type: 'json' };
import enFindings from './en/findings.json' with { type: 'json' };
import enOperator from './en/operator.json' with { type: 'json' };
import enShell from './en/shell.json' with { type: 'json' };
import ruAccount from './ru/account.json' with { type: 'json' };
import ruApi from './ru/api.json' with { type: 'json' };
import ruDocs from './ru/docs.json' with { type: 'json' };
import ruFindings from './ru/findings.json' with { type: 'json' };
import ruOperator from './ru/operator.json' with { type: 'json' };
import ruShell from './ru/shell.json' with { type: 'json' };

/** Languages of the API, the default first. */
export const LOCALES = ['ru', 'en'] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'ru';

const en = {
  account: enAccount,
  api: enApi,
  docs: enDocs,
  findings: enFindings,
  operator: enOperator,
  shell: enShell,
};

const ru: Texts = {
  account: ruAccount,
  api: ruApi,
  docs: ruDocs,
  findings: ruFindings,
  operator: ruOperator,
  shell: ruShell,
};

/** English decides which texts there are; the compiler finds what Russian lacks. */
export type Texts = typeof en;

/**
 * Everything that people read in two languages: of the API and the monitor, of the pages (`shell` is what stands on all of them, and
 * the public ones), of the operator page and of findings. Both languages are written by hand. `fill.ts` says what `{places}` are.
 */
export const TEXTS: Readonly<Record<Locale, Texts>> = { ru, en };

/** What a code is called; the code itself where this release does not know it yet. */
export function nameOf(code: string, names: Readonly<Record<string, string>>): string {
  return Object.hasOwn(names, code) ? (names[code] ?? code) : code;
}

/** Text in the reader's language, in the other one where that is missing. */
export function inLanguage(text: Readonly<Record<Locale, string | null>>, locale: Locale): string | null {
  return text[locale] ?? text[locale === 'ru' ? 'en' : 'ru'];
}
