import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';

import { sha256 } from '../../../platform/canonical.ts';
import { renderText, type Rendering } from '../../http/rendering.ts';

/**
 * The files that pages load, each under a name that holds its digest: what has that name never changes, so browsers may
 * keep it for good. The reference's own come from its package as they are, without the address of a source map, which
 * is not served.
 */
export interface Assets {
  /** The name to ask for. */
  nameOf(file: AssetFile): string;
  /** By the name asked for. */
  find(name: string): Rendering | undefined;
}

export type AssetFile = (typeof OURS)[number] | (typeof SWAGGER)[number];

const OURS = [
  'shell.css',
  'docs.css',
  'docs.js',
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
const SWAGGER = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export function readAssets(): Assets {
  const names = new Map<string, string>();
  const renderings = new Map<string, Rendering>();
  const add = (file: AssetFile, text: string) => {
    const type = extname(file);
    const name = `${file.slice(0, -type.length)}.${sha256(text).slice(0, 12)}${type}`;
    names.set(file, name);
    renderings.set(name, renderText(text, CONTENT_TYPES[type] ?? 'text/plain', []));
  };
  for (const file of OURS) add(file, readFileSync(new URL(`../browser/${file}`, import.meta.url), 'utf8'));
  const { resolve } = createRequire(import.meta.url);
  for (const file of SWAGGER) add(file, withoutMap(readFileSync(resolve(`swagger-ui-dist/${file}`), 'utf8')));
  return {
    nameOf: (file) => names.get(file) ?? file,
    find: (name) => renderings.get(name),
  };
}

function withoutMap(text: string): string {
  return text.replace(/\n(?:\/\/# sourceMappingURL=\S+|\/\*# sourceMappingURL=\S+ \*\/)\s*$/, '\n');
}
