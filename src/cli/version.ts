import { readFileSync } from 'node:fs';

const file = new URL('../../package.json', import.meta.url);

/** The release, as package.json has it. */
export const { version: VERSION } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
