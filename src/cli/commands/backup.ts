import { Command } from 'commander';

import { backUp } from '../../keep/backup.ts';
import type { BackupManifest } from '../../keep/manifest.ts';
import { withParts } from '../command.ts';
import { note, print, printJson } from '../output.ts';
import { duration } from '../../platform/text/format.ts';
import { showProgress } from '../progress.ts';
import { table } from '../table.ts';

export function backup(): Command {
  return new Command('backup')
    .argument('<dir>', 'a new folder')
    .addHelpText('after', HELP)
    .action((dir: string, { json }: { json?: boolean }) =>
      withParts('backup', 'read', async ({ config, parts, signal }) => {
        const { clock } = parts;
        const started = clock.monotonic();
        using progress = showProgress('pages copied');
        const made = await backUp(config, dir, {
          now: () => clock.now(),
          signal,
          onProgress: (pages, total) => progress.update(pages, total),
        });
        report(made, clock.monotonic() - started, json);
      }),
    );
}

const HELP = `
Documents (API keys among them), log and pepper; the search index is filled again after "restore". The folder holds secrets:
it is for this user alone, and so should be where you keep it. Kafka and MongoDB have tools of their own: see the guide.

Example:
  npm run -s catalog -- backup /backup/2026-11-20`;

function report(manifest: BackupManifest, tookMs: number, json: boolean | undefined): void {
  const files = manifest.files.map(({ path: name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  const hasPepper = files.some(({ name }) => name === 'pepper');
  if (json) return printJson({ files, has_pepper: hasPepper, took_ms: Math.round(tookMs) });
  print(table({ file: 'name', bytes: 'bytes', sha256: 'sha256' }, files));
  print(['', `Backed up in ${duration(tookMs)}.`]);
  if (!hasPepper)
    note('The pepper is not in it: keep CATALOG_KEY_PEPPER yourself. Without it no API key is recognised.');
}
