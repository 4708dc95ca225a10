import { PermanentError } from '../../src/platform/errors.ts';
import { collectionOf, type Projection } from '../../src/projecting/engine/projection.ts';

/** How a fold that is kept is found: the file in its folder, and the line in earlier/index.ts. */

type Named = Pick<Projection, 'name' | 'version'>;

/** The file that offers a kept fold to the release that keeps it. */
export function entryOf(projection: Named): string {
  const { name } = projection;
  return `import type { EarlierFold } from '../index.ts';
import { ${name} } from './projections/${name}/index.ts';
import { createDecoder } from './src/events/decode.ts';
import { EVENT_TYPES } from './src/events/types.ts';

/** ${collectionOf(projection)}, as it was released. "npm run freeze" has made this folder: nothing in it is changed. */
export const ${identifierOf(projection)}: EarlierFold = {
  projection: ${name},
  createDecode: (options) => createDecoder(EVENT_TYPES, options),
  root: new URL('./', import.meta.url),
};
`;
}

/** earlier/index.ts with one fold more. @throws {PermanentError} where it is not as this tool knows it. */
export function withEntry(text: string, projection: Named): string {
  const identifier = identifierOf(projection);
  const [whole = '', listed = ''] = LIST.exec(text) ?? [];
  if (whole === '' || text.includes(`${identifier} `)) {
    throw new PermanentError(
      `earlier/index.ts has ${whole === '' ? 'no list EARLIER' : `${identifier} already`}: bring it back as it was ("git checkout earlier/index.ts").`,
    );
  }
  const all = [...listed.split(',').map((one) => one.trim()), identifier].filter((one) => one !== '');
  const added = `import { ${identifier} } from './${collectionOf(projection)}/index.ts';`;
  const imports = text.lastIndexOf('\nimport ');
  const end = imports < 0 ? 0 : text.indexOf(';\n', imports) + 2;
  return `${text.slice(0, end)}${added}\n${text.slice(end)}`.replace(LIST, declared(all));
}

const LIST = /^export const EARLIER: readonly EarlierFold\[\] = \[([^\]]*)\];$/m;
const WIDTH = 110;

/** On one line where it fits, as the formatter has it. */
function declared(identifiers: readonly string[]): string {
  const declaration = 'export const EARLIER: readonly EarlierFold[] = [';
  const line = `${declaration}${identifiers.join(', ')}];`;
  if (line.length <= WIDTH) return line;
  return `${declaration}\n${identifiers.map((one) => `  ${one},\n`).join('')}];`;
}

/** `listings1`. */
function identifierOf({ name, version }: Named): string {
  return `${name}${version}`;
}
