import { backUp } from '../../../keep/backup.ts';
import type { BackupManifest } from '../../../keep/manifest.ts';
import { duration } from '../../../texts/plain.ts';
import { commandOf } from '../../command.ts';
import { argument } from '../../options.ts';
import { note, print, printJson } from '../../output.ts';
import { showProgress } from '../../progress.ts';
import { table } from '../../table.ts';

export const backup = commandOf('read', {
  takes: { dir: argument('<dir>', 'a new folder') },
  help: `
Documents (API keys among them), log and pepper; the search index is filled again after "keep restore". The folder holds secrets:
it is for this user alone, and so should be where you keep it. Kafka and MongoDB have tools of their own: see the guide.

Example:
  npm run -s catalog -- keep backup /backup/2026-11-20`,
  run: async ({ config, parts: { clock }, signal }, { dir, json }) => {
    const started = clock.monotonic();
    using progress = showProgress();
    const made = await backUp(config, dir, {
      now: () => clock.now(),
      signal,
      onProgress: (pages, total) => progress.update('pages copied', pages, total),
    });
    report(made, clock.monotonic() - started, json);
  },
});

function report(manifest: BackupManifest, tookMs: number, json: boolean | undefined): void {
  const files = manifest.files.map(({ path: name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  const hasPepper = files.some(({ name }) => name === 'pepper');
  if (json) return printJson({ files, has_pepper: hasPepper, took_ms: Math.round(tookMs) });
  print(table({ file: 'name', bytes: 'bytes', sha256: 'sha256' }, files));
  print(['', `Backed up in ${duration(tookMs)}.`]);
  if (!hasPepper)
    note('The pepper is not in it: keep CATALOG_KEY_PEPPER yourself. Without it no API key is recognised.');
}
