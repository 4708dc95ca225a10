import { Command, Option } from 'commander';

import type { Parts } from '../../compose/parts.ts';
import { withParts, type Finish } from '../command.ts';
import { checkDocuments } from './doctor/documents.ts';
import { checkRelease } from './doctor/release.ts';
import { checkConfiguration, checkFiles, embeddedStores } from './doctor/machine.ts';
import { checkLog } from './doctor/log.ts';
import { openArea, type Checked, type Role } from './doctor/report.ts';
import { checkProjectors } from './doctor/projectors.ts';
import { checkProvider } from './doctor/provider.ts';
import { checkSearch } from './doctor/search.ts';
import { counted } from '../../platform/amounts.ts';
import { print, printJson } from '../output.ts';

export function doctor(finish: Finish): Command {
  return new Command('doctor')
    .addOption(
      new Option(
        '--for <process>',
        'whose environment this is: `serve` needs no log and fewer rights, `accounts` the documents alone',
      )
        .choices(['project', 'serve', 'accounts'])
        .default('project'),
    )
    .option('--json', 'for scripts')
    .addHelpText('after', HELP)
    .action(({ for: role, json }: { for: Role; json?: boolean }) =>
      withParts('doctor', 'try', async ({ parts }) => {
        const checks = await examine(parts, role);
        const ok = checks.every(({ verdict }) => verdict !== 'problem');
        if (json) printJson({ ok, checks });
        else printChecks(checks);
        if (!ok) finish(1);
      }),
    );
}

const HELP = `
Examples:
  npm run -s catalog -- doctor
  docker compose run --rm catalog doctor
  npm run -s catalog -- doctor --for serve

Exit code 1 where something is a problem; warnings alone are 0; a setting that cannot be read is 2.`;

/** All checks, one after the other. What depends on a store that cannot be reached is said not to be checked. */
export async function examine(parts: Parts, role: Role): Promise<readonly Checked[]> {
  const { config } = parts;
  const found: Checked[] = [];
  const area = (name: string) => openArea(name, found);
  const clocks = area('clocks');
  checkConfiguration(area('configuration'), config);
  const wanted = embeddedStores(config).filter(({ name }) => isUsed(name, role));
  const there = checkFiles(area('disk'), wanted);
  // Opening an embedded store would make its file.
  const isMissing = (name: 'log' | 'documents' | 'search'): boolean =>
    wanted.some((store) => store.name === name) && !there.has(name);
  const documents = area('documents');
  let hasDocuments = false;
  if (isMissing('documents')) documents.notChecked('reached', 'its file does not exist.');
  else hasDocuments = await checkDocuments(parts, { documents, clocks }, role);
  if (role === 'accounts') area('release').notChecked('read models', 'the account pages need none.');
  else if (hasDocuments) await checkRelease(parts, area('release'), role);
  else area('release').notChecked('read models', 'the documents store is not reached.');
  const log = area('log');
  let hasLog = false;
  if (!isUsed('log', role)) log.notChecked('reached', `${role} needs no log.`);
  else if (isMissing('log')) log.notChecked('reached', 'its file does not exist.');
  else hasLog = await checkLog(parts, { log, clocks });
  if (hasDocuments && hasLog) await checkProjectors(parts, area('projectors'));
  else area('projectors').notChecked('alive', 'the documents and the log tell it together.');
  if (!isUsed('search', role)) area('search').notChecked('reached', `${role} needs no search.`);
  else if (isMissing('search')) area('search').notChecked('reached', 'its file does not exist.');
  else await checkSearch(parts, area('search'), role);
  if (role === 'serve') area('provider').notChecked('issuer', 'serve signs nobody in.');
  else await checkProvider(area('provider'), config);
  return found;
}

function isUsed(store: 'log' | 'documents' | 'search', role: Role): boolean {
  if (role === 'project' || store === 'documents') return true;
  return role === 'serve' && store === 'search';
}

const WORDS = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM', not_checked: 'not checked' } as const;

function printChecks(checks: readonly Checked[]): void {
  for (const name of new Set(checks.map(({ area }) => area))) {
    print(name);
    for (const { area, verdict, name: what, message, hint } of checks) {
      if (area !== name) continue;
      print(`  ${WORDS[verdict].padEnd(11)}  ${what}: ${message}`);
      if (hint !== null) print(`${' '.repeat(15)}${hint}`);
    }
  }
  const count = (verdict: Checked['verdict']): number =>
    checks.filter((check) => check.verdict === verdict).length;
  print('');
  print(
    `${counted(count('problem'), 'problem')}, ${counted(count('warning'), 'warning')}, ${count('ok')} ok, ${count('not_checked')} not checked.`,
  );
}
