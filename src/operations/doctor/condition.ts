import type { Parts } from '../../compose/parts.ts';
import { englishOf } from '../../findings/finding-texts.ts';
import type { Role } from '../role.ts';
import { readStatus } from '../status.ts';
import { ok, problem, warning, type Area, type Check } from './check.ts';

/** What `status` finds: where everything answers, a lane may still have halted. */
export const conditionArea: Area = {
  name: 'findings',
  roles: ['project', 'serve'],
  needs: ['documents', 'log'],
  checks: async (parts, role) => {
    const found = await findingChecks(parts, role);
    return found.length > 0
      ? found
      : [{ name: 'all', hint: '', look: () => ok('nothing is late, stuck or waiting.') }];
  },
};

async function findingChecks(parts: Parts, role: Role): Promise<readonly Check[]> {
  const status = await readStatus(parts, AbortSignal.timeout(LIMIT_MS), { seesLog: role === 'project' });
  return (
    status.findings
      // It is looked at before a first start, too; the release is said to make everything then.
      .filter(({ code }) => code !== 'never_projected')
      .map((finding) => {
        const { says, since, advice: hint } = englishOf(finding);
        const verdict = finding.severity === 'problem' ? problem : warning;
        return { name: finding.subject, hint, look: () => verdict(`${says}${since}`, hint) };
      })
  );
}

/** For reading how long records wait, in milliseconds. */
const LIMIT_MS = 10_000;
