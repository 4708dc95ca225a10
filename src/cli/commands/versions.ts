import { Command } from 'commander';

import { readVersions, type Version } from '../../operations/list-builds.ts';
import { withParts } from '../command.ts';
import { print, printJson } from '../output.ts';
import { seconds, table, type Columns } from '../table.ts';

export function versions(): Command {
  return new Command('versions')
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
  'complete since': ({ complete_since: at }) => at && seconds(at),
  verified: ({ verified_at: at }) => at && seconds(at),
  servers: 'servers',
};
