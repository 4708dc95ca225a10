import type { Parts } from '../../compose/parts.ts';
import type { CheckResult } from '../../operations/doctor/check.ts';
import { examine, examineArea } from '../../operations/doctor/run-checks.ts';
import { topicsArea } from '../../operations/doctor/topics.ts';
import { counted } from '../../texts/english-amounts.ts';
import { command, commandOf, type ExitCode, withParts } from '../command.ts';
import { choice, flag } from '../option-builders.ts';
import { print, printJson } from '../output.ts';

/** It asks for what it would need to make a change, and makes none. */
export const check = commandOf('change', {
  takes: {
    for: choice(
      '<process>',
      'whose environment this is: `serve` needs no log and fewer rights, `accounts` the documents alone',
      ['project', 'serve', 'accounts'],
      'project',
    ),
  },
  run: async ({ parts }, { for: role, json }) => report(await examine(parts, role), json),
});

type Verdict = CheckResult['verdict'];

/** Prints what was looked at. The exit code is 1 where something is a problem, or is none of the verdicts that will do. */
function report(
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

export const topics = command({
  takes: {
    create: flag('create those that are missing, with the partitions and the retention of the contract'),
  },
  run: ({ create, json }, name) =>
    withParts(name, create ? 'create' : 'read', async ({ parts }) => {
      if (create) await (await import('../../compose/projector.ts')).ensureTopics(parts);
      return await lookAtTopics(parts, json);
    }),
});

/**
 * The topics alone: whoever waits for them to be made waits for no clock, and for no record. One that was not compared is
 * not right.
 */
export async function lookAtTopics(parts: Parts, json?: boolean): Promise<ExitCode> {
  return report(await examineArea(topicsArea, parts, 'project'), json, ['ok', 'warning']);
}
