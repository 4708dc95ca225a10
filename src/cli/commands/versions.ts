import { Command } from 'commander';

import { readVersions, type Version } from '../../operations/list-builds.ts';
import { withParts, type Finish } from '../command.ts';
import { print, printJson } from '../output.ts';
import { table, type Columns } from '../table.ts';

export function versions(_finish: Finish): Command {
  return new Command('versions')
    .option('--json', 'for scripts')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- versions')
    .action(({ json }: { json?: boolean }) =>
      withParts('versions', 'read', async ({ parts }) => {
        const builds = await readVersions(parts);
        if (json) return printJson({ builds });
        print(table(COLUMNS, builds));
      }),
    );
}

const COLUMNS: Columns<Version> = {
  build: 'build',
  state: 'state',
  documents: 'documents',
  records: 'records',
  parked: 'parked',
  'complete since': ({ complete_since: at }) => when(at),
  verified: ({ verified_at: at }) => when(at),
  servers: 'servers',
};

function when(at: string | null): string | null {
  return at && at.slice(0, 19).replace('T', ' ');
}
