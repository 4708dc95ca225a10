import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

import { sha256 } from '../../../platform/canonical.ts';
import { renderText, type Representation } from '../../http/response/representation.ts';

export type AssetFile = (typeof OURS)[number];

const OURS = [
  'shell.css',
  'docs.css',
  'docs.js',
  'docs-search.js',
  'reference.css',
  'reference.js',
  'icon.svg',
  'catalog.css',
  'status.css',
  'search.js',
  'refresh.js',
  'account.css',
  'account.js',
  'operator.css',
] as const;

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
  const add = (file: AssetFile, text: string) => {
    const type = extname(file);
    const name = `${file.slice(0, -type.length)}.${sha256(text).slice(0, 12)}${type}`;
    names.set(file, name);
    responses.set(name, renderText(text, CONTENT_TYPES[type] ?? 'text/plain', []));
  };
  for (const file of OURS) add(file, readFileSync(new URL(`../browser/${file}`, import.meta.url), 'utf8'));
  return {
    /** The name to ask for. */
    nameOf: (file: AssetFile) => names.get(file) ?? file,
    /** By the name asked for. */
    find: (name: string) => responses.get(name),
  };
}
