import { englishOf } from '../../findings/finding-texts.ts';
import type { Finding } from '../../findings/finding.ts';
import { readStatus } from '../status.ts';
import { notChecked, ok, problem, warning, type Area, type Check, type Look } from './check.ts';

/** What `status` finds: where everything answers, a lane may still have halted. */
export const findingsArea: Area = {
  name: 'findings',
  roles: ['project', 'serve'],
  needs: ['documents', 'log'],
  checks: async (parts, role) => {
    const seesLog = role === 'project';
    const { findings } = await readStatus(parts, AbortSignal.timeout(STATUS_LIMIT_MS), { seesLog });
    // It is looked at before a first start, too: of a projector the release is said to make everything then.
    const told = findings.filter(({ code }) => !seesLog || code !== 'never_projected').map(checkOf);
    if (!seesLog) return [...told, said('lanes', notChecked('doctor of a projector looks at the log.'))];
    return told.length > 0 ? told : [said('all', ok('nothing is late, stuck or waiting.'))];
  },
};

function checkOf(finding: Finding): Check {
  const { says, since, advice } = englishOf(finding);
  const isProblem = finding.severity === 'problem' && finding.code !== 'never_projected';
  const verdict = isProblem ? problem : warning;
  return said(finding.subject, verdict(`${says}${since}`, advice));
}

/** What was looked at already. */
function said(name: string, look: Look): Check {
  return { name, look: () => look };
}

/** For reading how long records wait, in milliseconds. */
const STATUS_LIMIT_MS = 10_000;
