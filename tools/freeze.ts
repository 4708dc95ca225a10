import { pathToFileURL } from 'node:url';

import { messageOf, UsageError } from '../src/platform/errors.ts';
import { freezeFold } from './freezing/freeze-fold.ts';

/** `npm run freeze -- listings`: keeps the fold of this release, so that the next one can change it. */

const USAGE = 'Say which fold is to be kept: "npm run freeze -- listings".';

try {
  const [name, ...rest] = process.argv.slice(2);
  if (name === undefined || name.startsWith('-') || rest.length > 0) throw new UsageError(USAGE);
  const file = await freezeFold(pathToFileURL(`${process.cwd()}/`), name);
  process.stdout.write(
    `${file} has the fold as it is now, and earlier/index.ts lists it. Now change the fold, and raise the version in projections/${name}/index.ts.\n`,
  );
} catch (thrown) {
  process.stderr.write(`freeze: ${messageOf(thrown)}\n`);
  process.exitCode = thrown instanceof UsageError ? 2 : 1;
}
