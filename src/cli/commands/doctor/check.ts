import type { CheckResult } from '../../../operations/doctor/check.ts';
import { examine } from '../../../operations/doctor/examine.ts';
import { counted } from '../../../texts/plain.ts';
import { commandOf, type ExitCode } from '../../command.ts';
import { choice } from '../../options.ts';
import { print, printJson } from '../../output.ts';

export const check = commandOf('try', {
  takes: {
    for: choice(
      '<process>',
      'whose environment this is: `serve` needs no log and fewer rights, `accounts` the documents alone',
      ['project', 'serve', 'accounts'],
      'project',
    ),
  },
  help: `
Examples:
  npm run -s catalog -- doctor
  docker compose run --rm catalog doctor
  npm run -s catalog -- doctor check --for serve

Whether the log and the search engine may be written to is not tried: that would leave a record, and a task. A projector says
in its log, and "status", where they may not. Exit code 1 where something is a problem; warnings alone are 0; a setting that cannot be read is 2.`,
  run: async ({ parts }, { for: role, json }) => report(await examine(parts, role), json),
});

type Verdict = CheckResult['verdict'];

/** Prints what was looked at. The exit code is 1 where something is a problem, or is none of the verdicts that will do. */
export function report(
  checks: readonly CheckResult[],
  json: boolean | undefined,
  right: readonly Verdict[] = ['ok', 'warning', 'not_checked'],
): ExitCode {
  const ok = checks.every(({ verdict }) => right.includes(verdict));
  if (json) printJson({ ok, checks });
  else printChecks(checks);
  return ok ? 0 : 1;
}

const WORDS = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM', not_checked: 'not checked' } as const;

function printChecks(checks: readonly CheckResult[]): void {
  for (const name of new Set(checks.map(({ area }) => area))) {
    print(name);
    for (const { area, verdict, name: what, message, hint } of checks) {
      if (area !== name) continue;
      print(`  ${WORDS[verdict].padEnd(11)}  ${what}: ${message}`);
      if (hint !== null) print(`${' '.repeat(15)}${hint}`);
    }
  }
  const count = (verdict: Verdict): number => checks.filter((one) => one.verdict === verdict).length;
  print('');
  print(
    `${counted(count('problem'), 'problem')}, ${counted(count('warning'), 'warning')}, ${count('ok')} ok, ${count('not_checked')} not checked.`,
  );
}
