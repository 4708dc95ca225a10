import type { Command } from 'commander';

import { buildProgram } from './building.ts';
import type { Finish } from './command.ts';
import { accounts } from './commands/accounts.ts';
import { archive } from './commands/archive.ts';
import { backup } from './commands/backup.ts';
import { cutOver, rollback } from './commands/cut-over.ts';
import { diff } from './commands/diff.ts';
import { doctor } from './commands/doctor.ts';
import { drop } from './commands/drop.ts';
import { history } from './commands/history.ts';
import { exportView } from './commands/export.ts';
import { identity } from './commands/identity.ts';
import { keys } from './commands/keys.ts';
import { openapi } from './commands/openapi.ts';
import { parked } from './commands/parked.ts';
import { project } from './commands/project.ts';
import { publish } from './commands/publish.ts';
import { query } from './commands/query.ts';
import { rebuild } from './commands/rebuild.ts';
import { rejected } from './commands/rejected.ts';
import { replay } from './commands/replay.ts';
import { restore } from './commands/restore.ts';
import { search } from './commands/search.ts';
import { serve } from './commands/serve.ts';
import { shadows } from './commands/shadows.ts';
import { simulate } from './commands/simulate.ts';
import { start } from './commands/start.ts';
import { status } from './commands/status.ts';
import { topics } from './commands/topics.ts';
import { trace } from './commands/trace.ts';
import { verify } from './commands/verify.ts';
import { versions } from './commands/versions.ts';

/** The whole command line as a value: for its help, and for the test that holds docs/reference/commands.md equal to it. */
export function createProgram(finish: Finish): Command {
  return buildProgram(GROUPS, finish);
}

const GROUPS = {
  'Run:': [start, serve, project],
  'Events:': [publish, trace, history, rejected, simulate],
  'Operate:': [status, doctor, verify, parked, topics, identity],
  'Keep:': [archive, backup, restore],
  'Builds:': [versions, rebuild, cutOver, rollback, drop],
  'Analyse:': [search, replay, shadows, diff, query, exportView],
  'Keys:': [keys, accounts],
  'Contract:': [openapi],
} as const;
