import { commandLine } from '../../platform/text/command-hint.ts';
import { commandOf } from '../command.ts';
import { print, printJson } from '../output.ts';
import { counted, duration, number } from '../../texts/english-amounts.ts';
import { fieldColumns, table, type Columns } from '../table.ts';
import {
  readStatus,
  type ParkedGroup,
  type ReadModelStatus,
  type SearchStatus,
  type StatusReport,
} from '../../operations/status.ts';
import { lineOf } from '../../findings/finding-texts.ts';

export const status = commandOf('read', {
  run: async ({ parts, signal }, { json }) => {
    const report = await readStatus(parts, signal);
    if (json) printJson(withMessages(report));
    else printStatus(report);
    return report.findings.some(({ severity }) => severity === 'problem') ? 1 : 0;
  },
});

/** Scripts get the facts of a finding, and one line for those who read their output. */
function withMessages(report: StatusReport): object {
  return {
    ...report,
    findings: report.findings.map((finding) => ({ ...finding, message: lineOf(finding) })),
  };
}

const READ_MODELS: Columns<ReadModelStatus> = {
  ...fieldColumns('read_model', 'documents', 'lag'),
  'oldest waiting': ({ lag_ms }) => (lag_ms === null ? null : duration(lag_ms)),
  projected: ({ projected }) => (projected ? 'yes' : 'no'),
  live: 'live',
};

const INDEXES: Columns<SearchStatus> = {
  'search index': 'index',
  waiting: 'waiting',
  behind: ({ behind_ms }) => (behind_ms === null ? null : duration(behind_ms)),
  refused: 'refused',
  fed: ({ fed }) => (fed ? 'yes' : 'no'),
};

const PARKED: Columns<ParkedGroup> = { ...fieldColumns('read_model', 'topic', 'code'), parked: 'count' };

function printStatus(report: StatusReport): void {
  print([...table(READ_MODELS, report.read_models), '', ...table(INDEXES, report.search), '']);
  if (report.parked === 0) {
    print('No parked events.');
  } else {
    print(`${counted(report.parked, 'parked event')}: see "${commandLine('parked list')}".`);
    print(table(PARKED, report.parked_by));
  }
  printWorkers(report);
  printFindings(report);
}

function printWorkers({ workers }: StatusReport): void {
  const shown = workers.slice(0, WORKERS_SHOWN).map(({ where, lanes, ready }) => {
    return `${where} (${counted(lanes, 'lane')}${ready ? '' : ', not ready'})`;
  });
  if (workers.length > shown.length) shown.push(`${number(workers.length - shown.length)} more`);
  print(`Projectors: ${shown.join(', ') || 'none is alive'}.`);
}

/** What needs a hand, one line each; a fault that all lanes share fills no more than a screen. */
function printFindings({ findings }: StatusReport): void {
  for (const finding of findings.slice(0, FINDINGS_SHOWN)) {
    const word = finding.code.replaceAll('_', ' ').toUpperCase();
    print(`${word} ${finding.subject}: ${lineOf(finding)}`);
  }
  const rest = findings.length - FINDINGS_SHOWN;
  if (rest > 0) print(`... and ${number(rest)} more: see --json.`);
  if (findings.length === 0) print('Nothing is late, stuck or waiting.');
}

const WORKERS_SHOWN = 6;
const FINDINGS_SHOWN = 12;
