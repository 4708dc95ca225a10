import { dropNamedShadow } from '../../../operations/drop.ts';
import { commandOf } from '../../command.ts';
import { argument } from '../../options.ts';
import { print, printJson } from '../../output.ts';

export const drop = commandOf('change', {
  takes: { shadow: argument('<shadow>', 'as "shadows list" shows it, or its name alone') },
  example: 'shadows drop listings@1-weights',
  run: async ({ parts }, { shadow, json }) => {
    const dropped = await dropNamedShadow(parts, shadow);
    if (json) printJson({ dropped });
    else print(`${dropped} is gone.`);
  },
});
