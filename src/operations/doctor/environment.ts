import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Config } from '../../config.ts';
import { number } from '../../texts/english-amounts.ts';
import { problem as problemOf } from '../../findings/finding.ts';
import { englishOf } from '../../findings/finding-texts.ts';
import { STORES_OF } from '../role.ts';
import { fileOf, notChecked, ok, problem, warning, type Area, type Check, type Look } from './check.ts';

interface Setting {
  readonly name: string;
  readonly isOdd: (config: Config) => boolean;
  readonly message: string;
  readonly hint: string;
}

/** What may be meant, and hardly ever is. Values that cannot be read have ended the command before. */
const SETTINGS: readonly Setting[] = [
  {
    name: 'password of the log',
    isOdd: ({ logUrl }) => logUrl.scheme === 'kafka' && logUrl.sasl !== null && logUrl.tls === null,
    message: 'CATALOG_LOG_URL sends a password over a connection that is not encrypted.',
    hint: 'Add tls=true to CATALOG_LOG_URL.',
  },
  {
    name: 'key of the search engine',
    isOdd: ({ searchUrl, searchKey }) => searchUrl.scheme === 'meilisearch' && searchKey === null,
    message: 'CATALOG_SEARCH_KEY is not set: a Meilisearch that asks for no key takes everybody.',
    hint: 'Give Meilisearch a master key, and set CATALOG_SEARCH_KEY to one of its keys.',
  },
  {
    name: 'pepper',
    isOdd: ({ keyPepper, logUrl, searchUrl }) =>
      keyPepper === null && (logUrl.scheme === 'kafka' || searchUrl.scheme === 'meilisearch'),
    message: 'the pepper is in the data folder of this machine; another machine would not know the keys.',
    hint: 'Set CATALOG_KEY_PEPPER to the same secret for every process.',
  },
  {
    name: 'public address',
    isOdd: ({ publicUrl, documentsUrl, oidc }) =>
      publicUrl === null && (documentsUrl.scheme !== 'sqlite' || oidc !== null),
    message:
      'CATALOG_PUBLIC_URL is not set: links in answers, and where a provider of identities sends people back to, begin with http://localhost.',
    hint: 'Set it to the address that people use; at a provider, register /en/account/callback and /ru/account/callback below it.',
  },
  {
    name: 'who may sign in',
    isOdd: ({ oidc }) => oidc?.allow.length === 0,
    message: 'CATALOG_OIDC_ALLOW names nobody: nobody is let in.',
    hint: 'Name subjects in it, or set it to *.',
  },
];

/** What the environment says, taken by itself. */
export const configurationArea: Area = {
  name: 'configuration',
  roles: ['project', 'serve', 'accounts'],
  checks: ({ config }) => {
    const { logUrl, documentsUrl, searchUrl } = config;
    const stores = `log ${logUrl.scheme}, documents ${documentsUrl.scheme}, search ${searchUrl.scheme}`;
    return [
      { name: 'stores', look: () => ok(`${stores}; every variable is readable.`) },
      ...SETTINGS.map(({ name, isOdd, message, hint }) => ({
        name,
        hint,
        look: () => (isOdd(config) ? warning(message, hint) : null),
      })),
    ];
  },
};

/** The files of embedded stores, without opening them, and the room on their disks. */
export const diskArea: Area = {
  name: 'disk',
  roles: ['project', 'serve', 'accounts'],
  checks: ({ config }, role) => {
    const files = STORES_OF[role].flatMap((store) => {
      const file = fileOf(config, store);
      return file === null ? [] : [{ store, file }];
    });
    const folders = new Set(files.map(({ file }) => dirname(file)));
    return [...files.map(({ store, file }) => fileCheck(store, file)), ...[...folders].map(spaceCheck)];
  },
};

function fileCheck(store: string, file: string): Check {
  const hint = 'Give this user write access to it, or run as the user that it belongs to.';
  return {
    name: `${store} file`,
    hint,
    look: () => {
      if (!statSync(file, { throwIfNoEntry: false })?.isFile())
        return warning(
          `${file} does not exist: nothing has been started with this folder.`,
          englishOf(problemOf(store, null, { code: 'never_projected' })).advice,
        );
      for (const path of [file, dirname(file)]) accessSync(path, constants.R_OK | constants.W_OK);
      return ok(`${file} can be read and written.`);
    },
  };
}

const MIB = 2 ** 20;
/** SQLite copies a page before it changes it, and a write-ahead log may grow to 64 MiB. */
const LEAST_FREE = 128 * MIB;
const LITTLE_FREE = 1024 * MIB;

function spaceCheck(folder: string): Check {
  const hint = 'Make room, or move the folder (CATALOG_DATA) to a larger disk.';
  return {
    name: `space in ${folder}`,
    hint,
    look: (): Look => {
      const { bavail, bsize } = statfsSync(nearest(folder));
      const free = bavail * bsize;
      const message = `${number(Math.floor(free / MIB))} MiB are free.`;
      if (free < LEAST_FREE) return problem(message, hint);
      return free < LITTLE_FREE ? warning(message, hint) : ok(message);
    },
  };
}

/** The folder, or the one above it that is there: it would be made on that disk. */
function nearest(folder: string): string {
  let path = folder;
  while (!statSync(path, { throwIfNoEntry: false }) && dirname(path) !== path) path = dirname(path);
  return path;
}

const HINTS = {
  unreachable:
    'Is CATALOG_OIDC_ISSUER right, and may this machine reach it? Until then nobody signs in there.',
  misconfigured:
    'Set CATALOG_OIDC_ISSUER letter by letter as the provider writes it in its metadata: docs/guides/accounts.md.',
  token: 'Register the client with a secret, or for PKCE alone: docs/guides/accounts.md.',
} as const;

/** Reads the metadata of the provider of identities, as a sign-in would, and compares the issuer. */
export const providerArea: Area = {
  name: 'provider',
  roles: ['project', 'accounts'],
  checks: ({ config: { oidc } }) => [
    {
      name: 'issuer',
      hint: HINTS.unreachable,
      look: async () => {
        if (oidc === null) return notChecked('no provider of identities is configured.');
        const { discover } = await import('../../api/pages/account/oidc/discovery.ts');
        const found = await discover(oidc);
        if (found.outcome === 'discovered') {
          const method = found.tokenAuth === 'none' ? 'PKCE alone' : `client_secret_${found.tokenAuth}`;
          return ok(`its metadata names the issuer ${found.issuer}; the client proves itself by ${method}.`);
        }
        const hint = found.outcome === 'unreachable' ? HINTS.unreachable : HINTS.misconfigured;
        const message = `${found.reason} (${found.code}).`;
        return problem(message, found.code === 'TOKEN_AUTH' ? HINTS.token : hint);
      },
    },
  ],
};
