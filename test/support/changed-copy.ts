import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { freezeFold } from '../../tools/freezing/freeze-fold.ts';
import { temporaryFolder } from './folder.ts';
import { words } from './words.ts';

/** One place that a change touches: new text in the place of what is there once; or a new file. */
export interface Place {
  readonly file: string;
  /** Absent in a new file. */
  readonly at?: string | RegExp;
  readonly text: string;
}

export interface ChangedCopy {
  /** Imports a module of the copy. */
  load<Module>(file: string): Promise<Module>;
  read(file: string): string;
  /** Makes more changes; of modules that are loaded already nothing changes. */
  readonly change: (places: readonly Place[]) => void;
  /** What "npm run freeze" does, in the copy. */
  readonly freeze: (name: string) => Promise<unknown>;
  readonly folder: string;
}

const ROOT = join(import.meta.dirname, '../..');
const COPIED = words('src projections earlier tools test/support docs/reference package.json tsconfig.json');

/** Too large, or nothing of the project. */
const LEFT_OUT = /^\/(?:\.git|data|secrets)$|\/(?:node_modules|baselines|screenshots)$/;

/** The sources as they would be after a change, in a folder of their own; on demand with all tests and pages. */
export function changedCopy(places: readonly Place[], { isWhole = false } = {}): ChangedCopy {
  const folder = temporaryFolder();
  const filter = (path: string): boolean => !isWhole || !LEFT_OUT.test(path.slice(ROOT.length));
  for (const path of isWhole ? readdirSync(ROOT) : COPIED) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const change = (wanted: readonly Place[]): void => {
    for (const { file, at, text } of wanted) {
      const pieces = at === undefined ? ['', ''] : read(file).split(at);
      if (pieces.length !== 2) throw new Error(`${file} has ${pieces.length - 1} times ${at}`);
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), pieces.join(text));
    }
  };
  change(places);
  return {
    folder,
    read,
    change,
    freeze: (name) => freezeFold(pathToFileURL(`${folder}/`), name),
    load: async (file) => await import(join(folder, file)),
  };
}
