import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { problem as problemOf } from '../../findings/finding.ts';
import { englishOf } from '../../findings/finding-texts.ts';
import { number } from '../../texts/english-amounts.ts';
import { STORES_OF } from '../process-role.ts';
import { fileOf, ok, problem, warning, type Area, type Check, type Look } from './check.ts';

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
