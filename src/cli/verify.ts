import { Command } from 'commander';

import { verifyProjection, type Verification } from '../projecting/verify.ts';
import { withParts, type Finish } from './command.ts';
import { number, print, printJson, showProgress } from './output.ts';

export function verify(finish: Finish): Command {
  return new Command('verify')
    .description('Compare every document with a fold of the log made anew, byte for byte.')
    .option('--json', 'for scripts')
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s catalog -- verify\n\nIt may run beside a working service. Exit code 1 where something differs; each document is named.',
    )
    .action(({ json }: { json?: boolean }) =>
      withParts('verify', async ({ parts, signal }) => {
        const { log, documents, projections, topicName, decode } = parts;
        const results: Verification[] = [];
        for (const projection of projections) {
          using progress = showProgress('records folded');
          results.push(
            await verifyProjection(projection, {
              log,
              documents,
              projections,
              topicName,
              decode,
              signal,
              onProgress: (done, total) => progress.update(done, total),
            }),
          );
        }
        if (json) printJson({ ok: results.every((result) => result.ok), read_models: results.map(report) });
        else for (const result of results) printVerification(result);
        if (results.some((result) => !result.ok)) finish(1);
      }),
    );
}

function report({ readModel, logCut, ...rest }: Verification): object {
  return { read_model: readModel, ...rest, log_cut: logCut };
}

function printVerification(result: Verification): void {
  const { readModel, ok, documents, records, lag, digest, logCut, problems, findings } = result;
  const against = logCut ? 'contain what is left of the log' : 'equal the fold of the log';
  const verdict = ok ? `ok: all documents ${against}` : `FAILED: ${number(problems)} findings`;
  const waiting = lag === 0 ? '' : `, ${number(lag)} more not yet consumed`;
  print(
    `${readModel}  ${verdict} (${number(documents)} documents, ${number(records)} records${waiting}, digest ${digest.slice(0, 12)})`,
  );
  for (const { where, problem } of findings) print(`  ${where}: ${problem}`);
  if (problems > findings.length) print(`  ... and ${number(problems - findings.length)} more.`);
}
