import { dropNamedBuild } from '../../../operations/drop.ts';
import { commandOf } from '../../command.ts';
import { argument } from '../../options.ts';
import { print, printJson } from '../../output.ts';

export const drop = commandOf('change', {
  takes: { build: argument('<build>', 'as "builds list" names it') },
  help: `
Example:
  npm run -s catalog -- builds drop listings@1

It also ends a build that is still under way. The build that was live before stays for an hour after the switch.`,
  run: async ({ parts, signal }, { build, json }) => {
    await dropNamedBuild(parts, signal, build);
    if (json) printJson({ dropped: build });
    else print(`${build} is gone.`);
  },
});
