import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import type { Config } from '../../../config.ts';
import { messageOf } from '../../../platform/errors.ts';
import type { Area } from './report.ts';

/** What the environment says, taken by itself. Wrong values have ended the command before. */
export function checkConfiguration(area: Area, config: Config): void {
  const { logUrl, documentsUrl, searchUrl, searchKey, keyPepper, publicUrl } = config;
  area.ok(
    'stores',
    `log ${logUrl.scheme}, documents ${documentsUrl.scheme}, search ${searchUrl.scheme}; every variable is readable.`,
  );
  if (logUrl.scheme === 'kafka' && logUrl.sasl !== null && logUrl.tls === null)
    area.warning(
      'password of the log',
      'CATALOG_LOG_URL sends a password over a connection that is not encrypted.',
      'Add tls=true to CATALOG_LOG_URL.',
    );
  if (searchUrl.scheme === 'meilisearch' && searchKey === null)
    area.warning(
      'key of the search engine',
      'CATALOG_SEARCH_KEY is not set: a Meilisearch that asks for no key takes everybody.',
      'Give Meilisearch a master key, and set CATALOG_SEARCH_KEY to one of its keys.',
    );
  if (keyPepper === null && (logUrl.scheme === 'kafka' || searchUrl.scheme === 'meilisearch'))
    area.warning(
      'pepper',
      'the pepper is in the data folder of this machine; another machine would not know the keys.',
      'Set CATALOG_KEY_PEPPER to the same secret for every process.',
    );
  if (publicUrl === null && documentsUrl.scheme !== 'sqlite')
    area.warning(
      'public address',
      'CATALOG_PUBLIC_URL is not set: links in answers begin with http://localhost.',
      'Set it to the address that clients use.',
    );
}

/** An embedded store: what uses it, and its file. */
export interface EmbeddedStore {
  readonly name: 'log' | 'documents' | 'search';
  readonly file: string;
}

export function embeddedStores({ logUrl, documentsUrl, searchUrl }: Config): readonly EmbeddedStore[] {
  const all = { log: logUrl, documents: documentsUrl, search: searchUrl } as const;
  return (['log', 'documents', 'search'] as const).flatMap((name) => {
    const url = all[name];
    return url.scheme === 'sqlite' ? [{ name, file: resolve(url.path) }] : [];
  });
}

const MIB = 2 ** 20;
/** SQLite copies a page before it changes it, and a write-ahead log may grow to 64 MiB. */
const LEAST_FREE = 128 * MIB;
const LITTLE_FREE = 1024 * MIB;

/** Looks at the files of embedded stores without opening them. Returns the stores whose files are there. */
export function checkFiles(area: Area, stores: readonly EmbeddedStore[]): ReadonlySet<EmbeddedStore['name']> {
  const there = new Set<EmbeddedStore['name']>();
  for (const { name, file } of stores) {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
      area.warning(
        `${name} file`,
        `${file} does not exist: nothing has been started with this folder.`,
        'Start it: "npm start"; or set CATALOG_DATA to the folder that is meant.',
      );
      continue;
    }
    there.add(name);
    const refused = [file, dirname(file)].find((path) => !mayWrite(path));
    if (refused === undefined) area.ok(`${name} file`, `${file} can be read and written.`);
    else
      area.problem(
        `${name} file`,
        `${refused} may not be written by this user.`,
        'Give this user write access to it, or run as the user that it belongs to.',
      );
  }
  for (const folder of new Set(stores.map(({ file }) => dirname(file)))) checkSpace(area, folder);
  return there;
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    // That is the answer.
    return false;
  }
}

function checkSpace(area: Area, folder: string): void {
  const name = `space in ${folder}`;
  try {
    const { bavail, bsize } = statfsSync(nearest(folder));
    const free = bavail * bsize;
    const message = `${Math.floor(free / MIB).toLocaleString('en')} MiB are free.`;
    const hint = 'Make room, or move the folder (CATALOG_DATA) to a larger disk.';
    if (free < LEAST_FREE) area.problem(name, message, hint);
    else if (free < LITTLE_FREE) area.warning(name, message, hint);
    else area.ok(name, message);
  } catch (thrown) {
    area.notChecked(name, messageOf(thrown));
  }
}

/** The folder, or the one above it that is there: it would be made on that disk. */
function nearest(folder: string): string {
  let path = folder;
  while (!statSync(path, { throwIfNoEntry: false }) && dirname(path) !== path) path = dirname(path);
  return path;
}
