import { Command } from 'commander';

import { dropNamed } from '../../operations/drop.ts';
import { withParts } from '../command.ts';
import { print, printJson } from '../output.ts';

export function drop(): Command {
  return new Command('drop')
    .argument('<build>', 'as "versions" names it, or a shadow as "shadows" does')
    .addHelpText('after', HELP)
    .action((build: string, { json }: { json?: boolean }) =>
      withParts('drop', 'change', async ({ parts, signal }) => {
        const dropped = await dropNamed(parts, signal, build);
        if (json) printJson({ dropped });
        else print(`${dropped} is gone.`);
      }),
    );
}

const HELP = `
Examples:
  npm run -s catalog -- drop listings@1
  npm run -s catalog -- drop listings@1-weights

It also ends a build that is still under way. The build that was live before stays for an hour after the switch.`;
