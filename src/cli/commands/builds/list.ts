import { readVersions, type Version } from '../../../operations/list-builds.ts';
import { commandOf } from '../../command.ts';
import { print, printJson } from '../../output.ts';
import { seconds, table, type Columns } from '../../table.ts';

export const list = commandOf('read', {
  example: 'builds list',
  run: async ({ parts }, { json }) => {
    const builds = await readVersions(parts);
    if (json) printJson({ builds });
    else print(table(COLUMNS, builds));
  },
});

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
