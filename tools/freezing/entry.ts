import { PermanentError } from '../../src/platform/errors.ts';
import { collectionOf, type Projection } from '../../src/projecting/engine/projection.ts';

/** How a fold that is kept is found: the head of its file, and the lines in earlier/index.ts. */

type Named = Pick<Projection, 'name' | 'version'>;

/** What stands above a kept fold. */
export function headOf(projection: Named): string {
  return `// @ts-nocheck: it was checked when it was released
/**
 * ${collectionOf(projection)}, as it was released, with all that it uses: "npm run freeze" has made this file, and nothing in it is changed by
 * hand. A line \`// path\` says which file the lines below it come from; packages in it stand under their own licences.
 */
`;
}

/** earlier/index.ts with one fold more. @throws {PermanentError} where it is not as this tool knows it. */
export function withEntry(text: string, projection: Named): string {
  const identifier = identifierOf(projection);
  const [whole = '', listed = ''] = LIST.exec(text) ?? [];
  if (whole === '' || text.includes(`${identifier} `)) {
    throw new PermanentError(
      `earlier/index.ts has ${whole === '' ? 'no list KEPT' : `${identifier} already`}: bring it back as it was ("git checkout earlier/index.ts").`,
    );
  }
  const all = [...listed.split(',').map((one) => one.trim()), identifier].filter((one) => one !== '');
  const added = `import * as ${identifier} from './${collectionOf(projection)}.js';`;
  const imports = text.lastIndexOf('\nimport ');
  const end = imports < 0 ? 0 : text.indexOf(';\n', imports) + 2;
  return `${text.slice(0, end)}${added}\n${text.slice(end)}`.replace(LIST, declared(all));
}

const LIST = /^const KEPT: readonly unknown\[\] = \[([^\]]*)\];$/m;
const WIDTH = 110;

/** On one line where it fits, as the formatter has it. */
function declared(identifiers: readonly string[]): string {
  const declaration = 'const KEPT: readonly unknown[] = [';
  const line = `${declaration}${identifiers.join(', ')}];`;
  if (line.length <= WIDTH) return line;
  return `${declaration}\n${identifiers.map((one) => `  ${one},\n`).join('')}];`;
}

/** `listings1`. */
function identifierOf({ name, version }: Named): string {
  return `${name}${version}`;
}
