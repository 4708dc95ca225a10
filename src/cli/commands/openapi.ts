import { Command, Option } from 'commander';

import { localUrl } from '../../config.ts';
import { readSettings } from '../command.ts';
import { printJson } from '../output.ts';

interface Options {
  readonly lang: 'en' | 'ru';
  readonly events?: true;
}

export function openapi(): Command {
  return new Command('openapi')
    .addOption(new Option('--lang <lang>', 'language of its texts').choices(['en', 'ru']).default('en'))
    .addOption(new Option('--events', 'of the events, in English').conflicts('lang'))
    .option('--json', 'for scripts: the output is JSON in any case')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- openapi --lang ru > openapi.ru.json')
    .action(async ({ lang, events }: Options) => {
      const { publicUrl, port, topicPrefix } = readSettings();
      if (events) {
        const { asyncApiDocument } = await import('../../events/asyncapi/document.ts');
        return printJson(asyncApiDocument({ topicPrefix }), 'shown');
      }
      const { openApiDocument } = await import('../../api/openapi/document.ts');
      printJson(openApiDocument({ locale: lang, publicUrl: publicUrl ?? localUrl(port) }), 'shown');
    });
}
