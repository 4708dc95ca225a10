import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

import { sha256 } from '../../../platform/canonical.ts';
import { renderText, type Representation } from '../../http/response/representation.ts';

const FOLDER = new URL('../browser/', import.meta.url);

/** The name of a file in that folder. */
export type AssetFile = `${string}.${'css' | 'js' | 'svg'}`;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export type Assets = ReturnType<typeof readAssets>;

/**
 * The files that pages load, each under a name that holds its digest: what has that name never changes, so browsers may
 * keep it for good.
 */
export function readAssets() {
  const names = new Map<string, string>();
  const responses = new Map<string, Representation>();
  for (const file of readdirSync(FOLDER)) {
    const type = extname(file);
    const contentType = CONTENT_TYPES[type];
    if (contentType === undefined) continue;
    const text = readFileSync(new URL(file, FOLDER), 'utf8');
    const name = `${file.slice(0, -type.length)}.${sha256(text).slice(0, 12)}${type}`;
    names.set(file, name);
    responses.set(name, renderText(text, contentType, []));
  }
  return {
    /** The name to ask for. @throws where there is no such file. */
    nameOf(file: AssetFile): string {
      const name = names.get(file);
      if (name === undefined) throw new Error(`pages load ${file}, which is not in their folder`);
      return name;
    },
    /** By the name asked for. */
    find: (name: string) => responses.get(name),
  };
}
