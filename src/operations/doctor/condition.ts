import { englishOf } from '../../findings/finding-texts.ts';
import type { Finding } from '../../findings/finding.ts';
import { readStatus } from '../status.ts';
import { notChecked, ok, problem, warning, type Area, type Check } from './check.ts';

/** What `status` finds: where everything answers, a lane may still have halted. */
export const conditionArea: Area = {
  name: 'findings',
  roles: ['project', 'serve'],
  needs: ['documents', 'log'],
  checks: async (parts, role) => {
    const seesLog = role === 'project';
    const { findings } = await readStatus(parts, AbortSignal.timeout(LIMIT_MS), { seesLog });
    // A projector is looked at before its first start, too; the release is said to make everything then.
    const told = findings.filter(({ code }) => !seesLog || code !== 'never_projected').map(checkOf);
    const all = { name: 'all', hint: '', look: () => ok('nothing is late, stuck or waiting.') };
    const lanes = {
      name: 'lanes',
      hint: '',
      look: () => notChecked('doctor of a projector looks at the log.'),
    };
    return [...told, ...(findings.length === 0 && seesLog ? [all] : []), ...(seesLog ? [] : [lanes])];
  },
};

function checkOf(finding: Finding): Check {
  const { says, since, advice: hint } = englishOf(finding);
  const verdict = finding.severity === 'problem' ? problem : warning;
  return { name: finding.subject, hint, look: () => verdict(`${says}${since}`, hint) };
}

/** For reading how long records wait, in milliseconds. */
const LIMIT_MS = 10_000;
