import { localUrl } from '../../config.ts';
import { command, readSettings } from '../command.ts';
import { choice, option } from '../option-builders.ts';
import { printJson } from '../output.ts';

export const openapi = command({
  takes: {
    lang: choice('<lang>', 'language of its texts', ['en', 'ru'], 'en'),
    events: option<true | undefined>('', 'of the events, in English', (made) => made.conflicts('lang')),
  },
  run: async ({ lang, events }) => {
    const { publicUrl, port, topicPrefix } = readSettings();
    if (events) {
      const { asyncApiDocument } = await import('../../events/asyncapi/document.ts');
      return printJson(asyncApiDocument({ topicPrefix }), 'shown');
    }
    const { openApiDocument } = await import('../../api/openapi/document.ts');
    printJson(openApiDocument({ locale: lang, publicUrl: publicUrl ?? localUrl(port) }), 'shown');
  },
});
