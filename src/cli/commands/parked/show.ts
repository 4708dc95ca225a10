import { PermanentError } from '../../../platform/errors.ts';
import { commandLine } from '../../../platform/text/command-line.ts';
import { number } from '../../../texts/plain.ts';
import { PARKED, type ParkedEvent } from '../../../projecting/engine/parking.ts';
import { commandOf } from '../../command.ts';
import { argument } from '../../options.ts';
import { print, printJson } from '../../output.ts';
import { summary } from './list.ts';

export const show = commandOf('read', {
  takes: { id: argument('<id>', 'as "parked list" shows it') },
  example: 'parked show listings@1/catalog.entries/0/17',
  run: async ({ parts }, { id, json }) => {
    const stored = (await parts.documents.get<ParkedEvent>(PARKED.name, [id])).get(id);
    if (!stored)
      throw new PermanentError(
        `There is no parked event ${id}. "${commandLine('parked list')}" shows what there is.`,
      );
    const { key, headers, value, to } = stored.body;
    // What is no UTF-8 shows its replacement characters: the bytes themselves are in `value_base64`.
    const bytes = value === null ? null : Buffer.from(value, 'base64');
    const isRange = to !== undefined;
    const shown = {
      ...summary(stored),
      key,
      headers,
      value: isRange ? null : (bytes?.toString('utf8') ?? null),
    };
    if (json) return printJson({ ...shown, value_base64: value });
    const rows: [string, string | number | null][] = Object.entries({
      ...shown,
      headers: JSON.stringify(headers),
    });
    if (isRange && bytes)
      rows.push(['bytes', `${number(bytes.length)} of them: --json shows them in Base64`]);
    for (const [name, content] of rows) print(`${name.padEnd(11)}  ${content ?? '-'}`);
  },
});
