import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type Html, jsonBlock, trusted } from '../../../api/pages/shell/html.ts';

/** What stands in a page as it is, and the policy that lets it apply. Its texts are ours, or JSON without a `<`. */

export function styleOf(text: string): Html {
  return trusted(`<style>${text}</style>`);
}

export function scriptOf(text: string): Html {
  return trusted(`<script>${text}</script>\n`);
}

/** JSON for a script. */
export function dataOf(id: string, data: object): Html {
  return jsonBlock('application/json', data, id);
}

/** Nothing is loaded from anywhere, and nothing runs or applies but these very texts. */
export function policyOf(style: string, scripts: readonly string[]): string {
  const digest = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
  const run = scripts.length === 0 ? "'none'" : scripts.map(digest).join(' ');
  return `default-src 'none'; script-src ${run}; style-src ${digest(style)}; base-uri 'none'; form-action 'none'`;
}

export function ownFile(name: string): string {
  return readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8');
}

/** The build for browsers, which its package does not export by name; without the address of a source map. */
export function chartLibrary(): string {
  const file = fileURLToPath(new URL('chart.umd.min.js', import.meta.resolve('chart.js')));
  return readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
}
