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
  /** By their names, or where a container has one under another name. */
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[];
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
  /** Files of deploy/secrets, below its folder. */
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};

/** A service's variables as its container has them where nothing else is given. */
export function environmentOf(service: ComposeService): Readonly<Record<string, string>> {
  const fill = (text: string): string =>
    text
      .replaceAll(/\$\{\w+:-([^${}]*)\}/g, (_, preset: string) => preset)
      .replaceAll(/\$\{\w+:-([^}]*)\}/g, (_, preset: string) => preset);
  return Object.fromEntries(
    Object.entries(service.environment ?? {}).map(([name, value]) => [name, fill(String(value))]),
  );
}

/** The secrets that a container has, by their names in /run/secrets: each the name of a file of deploy/secrets. */
export function secretsOf({ secrets = [] }: ComposeService): Readonly<Record<string, string>> {
  return Object.fromEntries(
    secrets.map((one) => (typeof one === 'string' ? [one, one] : [one.target, one.source])),
  );
}
