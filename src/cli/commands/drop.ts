import { Command } from 'commander';

import { PermanentError, UsageError } from '../../platform/errors.ts';
import { dropBuild } from '../../projecting/builds/dropping.ts';
import { lanesOf } from '../../projecting/builds/lanes.ts';
import type { Parts } from '../../compose/parts.ts';
import { parseBuildName } from '../../stores/builds.ts';
import { buildsOf } from '../../stores/live.ts';
import { readShadows, removeShadow, SHADOWS } from '../../stores/shadows.ts';
import { aliasOf, readModelOf } from '../builds.ts';
import { withParts, type Finish } from '../command.ts';
import { print, printJson } from '../output.ts';
import { shadowNamed } from '../shadows.ts';

export function drop(_finish: Finish): Command {
  return new Command('drop')
    .description('Remove a build that is not live, or a shadow: its documents, its search index, its lanes.')
    .argument('<build>', 'as "versions" names it, or a shadow as "shadows" does')
    .option('--json', 'for scripts')
    .addHelpText('after', HELP)
    .action((build: string, { json }: { json?: boolean }) =>
      withParts('drop', 'change', async ({ parts, signal }) => {
        await parts.documents.declare(SHADOWS);
        const shadow = shadowNamed(await readShadows(parts.documents), build);
        if (shadow) {
          await removeShadow(parts.documents, shadow);
          if (json) printJson({ dropped: shadow.id });
          else print(`${shadow.id} is gone.`);
          return;
        }
        const named = parseBuildName(build);
        if (!named)
          throw new UsageError(
            `${build} is no name of a build, and there is no such shadow: "versions" and "shadows" list them.`,
          );
        readModelOf(parts, named.name);
        await requireAny(parts, named.name, build);
        const { documents, search, clock } = parts;
        const refusal = await dropBuild({ documents, search, clock, signal }, named.name, build);
        if (refusal !== null) throw new PermanentError(`${refusal}.`);
        if (json) printJson({ dropped: build });
        else print(`${build} is gone.`);
      }),
    );
}

/** @throws {UsageError} where nothing of such a build is there, not even what an unfinished removal has left. */
async function requireAny(parts: Parts, name: string, build: string): Promise<void> {
  const alias = await aliasOf(parts, name);
  const known = [...buildsOf(alias), alias.before];
  if (known.includes(build) || (await parts.documents.collections()).includes(build)) return;
  if ((await lanesOf(parts.documents, build)).length > 0) return;
  throw new UsageError(`There is no build ${build}. There are ${buildsOf(alias).join(', ')}.`);
}

const HELP = `
Examples:
  npm run -s catalog -- drop listings@1
  npm run -s catalog -- drop listings@1-weights

It also ends a build that is still under way. The build that was live before stays for an hour after the switch.`;
