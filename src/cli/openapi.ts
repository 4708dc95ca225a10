import { Command, Option } from 'commander';

import { openApiDocument } from '../api/openapi/document.ts';
import { readConfig } from '../config.ts';
import type { Finish } from './command.ts';
import { printJson } from './output.ts';

export function openapi(_finish: Finish): Command {
  return new Command('openapi')
    .description('Print the OpenAPI 3.1 document of the API.')
    .addOption(new Option('--lang <lang>', 'language of its texts').choices(['en', 'ru']).default('en'))
    .option('--json', 'for scripts: the output is JSON in any case')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- openapi --lang ru > openapi.ru.json')
    .action(({ lang }: { lang: 'en' | 'ru' }) => {
      printJson(openApiDocument({ locale: lang, publicUrl: readConfig(process.env).publicUrl }));
    });
}
