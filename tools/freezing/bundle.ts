import { fileURLToPath } from 'node:url';

import { rolldown } from 'rolldown';

import { PermanentError } from '../../src/platform/errors.ts';

/** What a kept fold exports: `EarlierFold` in earlier/index.ts. */
function entryOf(name: string): string {
  return `import { createDecoder } from './src/events/decode.ts';
import { EVENT_TYPES } from './src/events/event-types.ts';
export { ${name} as projection } from './projections/${name}/index.ts';
export const createDecode = (options) => createDecoder(EVENT_TYPES, options);
`;
}

/**
 * A read model's fold with all that it and its decoder use, packages too, as the text of one file that imports nothing
 * but Node's own modules: so that nothing that comes later changes what it makes. To be read, too: names stay, and so do
 * docstrings.
 * @throws {PermanentError} where it would import anything else.
 */
export async function bundleOf(project: URL, name: string): Promise<string> {
  const cwd = fileURLToPath(project);
  const entry = `${cwd}kept-fold.ts`;
  await using bundle = await rolldown({
    cwd,
    input: entry,
    platform: 'node',
    // So that the comments that name files say "node_modules/zod" wherever the packages stand.
    resolve: { symlinks: false },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? entryOf(name) : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'es', minify: false });
  const [file, ...others] = output;
  const foreign = file.imports.filter((id) => !id.startsWith('node:'));
  if (others.length > 0 || foreign.length > 0 || file.dynamicImports.length > 0)
    throw new PermanentError(
      `The fold of ${name} cannot be kept as one file: it imports ${[...foreign, ...file.dynamicImports].join(', ') || 'parts of itself when it runs'}.`,
    );
  return file.code;
}
