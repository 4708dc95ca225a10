import { counted } from '../../platform/text/format.ts';
import { commandLine } from '../../platform/text/command-line.ts';
import type { Finding } from '../findings.ts';
import { readStatus } from '../status.ts';
import { englishOf } from '../texts/finding-texts.ts';
import { ok, warning, type Area } from './check.ts';

/** What `status` finds where nothing projects. */
const CODES: ReadonlySet<Finding['code']> = new Set(['never_projected', 'no_projector', 'not_projected']);
const READ_MS = 10_000;

/** Whether a projector is alive, and what waits for one. */
export const projectorsArea: Area = {
  name: 'projectors',
  roles: ['project'],
  needs: ['documents', 'log'],
  checks: async (parts) => {
    const { findings, workers } = await readStatus(parts, AbortSignal.timeout(READ_MS));
    const many = counted(workers.length, 'projector');
    const hint = `Before the first start this is as it should be; "${commandLine('status')}" says the same.`;
    return [
      {
        name: 'alive',
        hint,
        look: () =>
          workers.length === 0 ? null : ok(`${many} ${workers.length === 1 ? 'is' : 'are'} alive.`),
      },
      ...findings
        .filter(({ code }) => CODES.has(code))
        .map((one) => ({ name: one.subject, hint, look: () => warning(englishOf(one), hint) })),
    ];
  },
};
