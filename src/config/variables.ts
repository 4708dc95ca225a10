import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

import { z } from 'zod';

import { TOKEN_AUTHS } from '../api/pages/account/oidc/settings.ts';
import { readPolicy } from '../monitor/policy.ts';
import { codeOf, UsageError } from '../platform/errors.ts';
import { LOG_FORMATS, LOG_LEVELS } from '../platform/logger.ts';
import { slipsBetween } from '../platform/text/edit-distance.ts';

function wholeNumber(form: RegExp, most: number, accepts: string) {
  const digits = z.string().regex(form, accepts).transform(Number);
  return digits.refine((value) => value <= most, accepts);
}

const port = wholeNumber(/^\d{1,5}$/, 65_535, 'a port number from 0 to 65535');

const publicUrl = z.string().transform((text, context) => {
  const read = readPublicUrl(text);
  if (read !== null) return read;
  context.addIssue('an http or https URL without a query');
  return z.NEVER;
});

const monitorPolicy = z.string().transform((text, context) => {
  const read = readPolicy(text);
  if (!('expected' in read)) return read;
  context.addIssue(read.expected);
  return z.NEVER;
});

/** What holds a secret, or may: each can stand in a file that `NAME_FILE` names. */
export const SECRETS = [
  'CATALOG_LOG_URL',
  'CATALOG_LOG_PASSWORD',
  'CATALOG_DOCUMENTS_URL',
  'CATALOG_SEARCH_KEY',
  'CATALOG_KEY_PEPPER',
  'CATALOG_OIDC_CLIENT_SECRET',
  'CATALOG_OPERATOR_SECRET',
] as const;

/** `NAME_FILE` for each of them. */
const SECRET_FILES = Object.fromEntries(
  SECRETS.map((name) => [`${name}_FILE`, z.string().optional()]),
) as Record<`${(typeof SECRETS)[number]}_FILE`, z.ZodOptional<z.ZodString>>;

/** With commas between them. */
const list = z.string().transform((text) => text.split(',').map((one) => one.trim()));

/** As a file of one has it: a line end that came along would be a part of it here, and in a file not. */
const secret = z.string().regex(/^[^\0\r\n]*$/, 'one line of text, without a line end');
const longSecret = secret.min(16, 'at least 16 characters').optional();

/** The variables with their defaults; docs/reference/configuration.md lists the same, held by a test. */
export const VARIABLES = {
  CATALOG_DATA: z.string().min(1, 'a folder').default('./data'),
  CATALOG_LOG_URL: z
    .string()
    .regex(/^(?:sqlite:.|kafka:)/, 'sqlite:PATH or kafka://HOST:PORT')
    .optional(),
  CATALOG_LOG_USERNAME: z.string().optional(),
  CATALOG_LOG_PASSWORD: secret.optional(),
  CATALOG_DOCUMENTS_URL: z
    .string()
    .regex(/^(?:sqlite:|mongodb(?:\+srv)?:\/\/)./, 'sqlite:PATH or mongodb://HOST:PORT/DATABASE')
    .optional(),
  CATALOG_SEARCH_URL: z
    .string()
    .regex(/^(?:sqlite:.|https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$)/, 'sqlite:PATH or http://HOST:PORT')
    .optional(),
  CATALOG_SEARCH_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'a key without spaces')
    .optional(),
  CATALOG_SEARCH_PREFIX: z
    .string()
    .regex(/^(?:[a-z][a-z0-9_-]{0,31})?$/, 'at most 32 of a-z, 0-9, "_" and "-", a letter first')
    .default(''),
  CATALOG_TOPIC_PREFIX: z
    .string()
    .regex(/^[a-z0-9._-]{0,64}$/, 'at most 64 of a-z, 0-9, ".", "_" and "-"')
    .default(''),
  CATALOG_KEY_PEPPER: longSecret,
  CATALOG_PUBLIC_URL: publicUrl.optional(),
  HOST: z.string().min(1, 'an address to listen on').optional(),
  PORT: port.default(8080),
  ADMIN_HOST: z.string().min(1, 'an address to listen on').default('127.0.0.1'),
  ADMIN_PORT: port.default(8081),
  ADMIN_ALLOWED_HOSTS: z
    .string()
    .regex(/^(?:\*|[\w.-]+(?: *, *[\w.-]+)*)$/, 'host names with commas between them, or *')
    .pipe(list)
    .default([]),
  CATALOG_KEEP_ALIVE: wholeNumber(/^[1-9]\d{0,3}$/, 3600, 'whole seconds from 1 to 3600').optional(),
  CATALOG_TRUSTED_PROXIES: list
    .refine(
      (all) => all.every(isProxy),
      'addresses, subnets such as 10.0.0.0/8, or loopback, linklocal, uniquelocal',
    )
    .default([]),
  LOG_LEVEL: z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`).default('info'),
  LOG_FORMAT: z.enum(LOG_FORMATS, `one of ${LOG_FORMATS.join(', ')}`).optional(),
  CATALOG_MONITOR_POLICY: monitorPolicy.optional(),
  CATALOG_REJECTIONS: z.enum(['on', 'off'], 'on or off').default('on'),
  CATALOG_CUT_OVER: z.enum(['auto', 'manual'], 'auto or manual').default('manual'),
  CATALOG_SYNONYMS: z.string().optional(),
  CATALOG_ACCOUNTS: z.enum(['on', 'off'], 'on or off').optional(),
  CATALOG_OIDC_ISSUER: z
    .string()
    .regex(
      /^(?:https:\/\/[^\s?#]+|http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/[^\s?#]*)?)$/,
      'an https URL',
    )
    .refine((text) => URL.canParse(text), 'an https URL')
    .optional(),
  CATALOG_OIDC_CLIENT_ID: z.string().optional(),
  CATALOG_OIDC_CLIENT_SECRET: secret.optional(),
  CATALOG_OIDC_TOKEN_AUTH: z.enum(TOKEN_AUTHS, 'basic, post or none').optional(),
  CATALOG_OIDC_ALLOW: list
    .refine((all) => all.every((one) => one !== ''), 'subjects with commas between them, or *')
    .default([]),
  CATALOG_OPERATOR_SECRET: longSecret,
  CATALOG_SAMPLE: z.enum(['on', 'once', 'off'], 'on, once or off').default('on'),
  // Read by platform/text/command-hint.ts, where hints are made.
  CATALOG_COMMAND: z.string().optional(),
  ...SECRET_FILES,
} as const;

const NAMED_SUBNETS = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** What Express takes for a trusted proxy; a subnet of everybody is nobody's proxy. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (NAMED_SUBNETS.has(text)) return true;
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  const most = version === 4 ? 32 : 128;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
}

/**
 * An http or https URL in its one spelling (WHATWG URL): a host in small letters and ASCII, no port that goes without saying, no
 * slash at the end. What compares addresses letter by letter, such as a provider of identities, then always sees the same one.
 * null for anything else, also where it has a query, a fragment or a password.
 */
export function readPublicUrl(text: string): string | null {
  if (!/^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#]*)?$/i.test(text)) return null;
  const url = URL.parse(text);
  return url === null ? null : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** More than that is another word. */
const SLIPS = 2;

/**
 * The names that begin like ours and are not. Anything may set such variables (an orchestrator does, for a service that
 * is called so); but one that is nearly ours was meant for us.
 */
export function unknownIn(names: readonly string[]): readonly string[] {
  const known = Object.keys(VARIABLES);
  const unknown = names.filter((name) => name.startsWith('CATALOG_') && !known.includes(name));
  for (const name of unknown) {
    const meant = known.find((one) => slipsBetween(name, one, SLIPS) <= SLIPS);
    if (meant !== undefined) throw new UsageError(`${name} is not known. Is ${meant} meant?`);
  }
  return unknown;
}

/** Of a secret: one that is longer is another file. */
const MAX_BYTES = 64 * 1024;

/**
 * The environment with the secrets that stand in files: `NAME_FILE` names the file whose text `NAME` gets, without the
 * line ends at its end. That is how orchestrators hand secrets out, so that nobody reads them in a list of processes or
 * containers.
 * @throws {UsageError} where both are set, or the file cannot be read, is empty or no text. No text of it is repeated.
 */
export function withSecretFiles(
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const filled: Record<string, string> = { ...environment };
  for (const name of SECRETS) {
    const { [`${name}_FILE`]: file, [name]: value } = environment;
    if (file === undefined) continue;
    if (value !== undefined) throw new UsageError(`${name} and ${name}_FILE are both set. Keep one of them.`);
    filled[name] = readSecret(`${name}_FILE`, file);
  }
  return filled;
}

function readSecret(variable: string, file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (thrown) {
    throw new UsageError(
      `${variable} is wrong: ${file} cannot be read (${codeOf(thrown) ?? String(thrown)}). Expected a file that holds the secret, readable by this process.`,
    );
  }
  const text = bytes.length > MAX_BYTES ? null : textOf(bytes)?.replace(/[\r\n]+$/, '');
  if (!text || /[\0\r\n]/.test(text))
    throw new UsageError(`${variable} is wrong: ${file} does not hold one line of text.`);
  return text;
}

/** null where it is no UTF-8: bytes that mean nothing would all become the same character. A byte order mark is no part of it. */
function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
