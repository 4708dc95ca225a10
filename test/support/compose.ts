import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

/** docker-compose.yml as Compose reads it: anchors and merges resolved, variables not. */

export const root = join(import.meta.dirname, '../..');

export interface ComposeService {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly healthcheck?: { readonly test: string | readonly string[] };
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly deploy?: {
    readonly resources?: { readonly limits?: { readonly cpus?: string; readonly memory?: string } };
  };
  readonly [other: string]: unknown;
}

export const COMPOSE_TEXT = readFileSync(join(root, 'docker-compose.yml'), 'utf8');

export const COMPOSE = parse(COMPOSE_TEXT, { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
};

/** A service's variables as its container has them, with values for those that have to be given. */
export function environmentOf(
  service: ComposeService,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const fill = (text: string): string =>
    text.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name: string, preset = '') =>
      String(given[name] ?? preset),
    );
  return Object.fromEntries(
    Object.entries(service.environment ?? {}).map(([name, value]) => [name, fill(String(value))]),
  );
}

/** What has to be given, by `${NAME:?...}`. */
export const REQUIRED: readonly string[] = [
  ...new Set([...COMPOSE_TEXT.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => String(name))),
].sort();
