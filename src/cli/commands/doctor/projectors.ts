import type { Parts } from '../../../compose/parts.ts';
import type { Finding } from '../../../operations/findings.ts';
import { readStatus } from '../../../operations/status.ts';
import { englishOf } from '../../../operations/texts/finding-texts.ts';
import { counted } from '../../../platform/amounts.ts';
import { commandLine } from '../../../platform/command-line.ts';
import { messageOf } from '../../../platform/errors.ts';
import type { Area } from './report.ts';

/** What `status` finds where nothing projects. */
const CODES: ReadonlySet<Finding['code']> = new Set(['never_projected', 'no_projector', 'not_projected']);
const READ_MS = 10_000;

/** Whether a projector is alive, and what waits for one. The stores were reached before. */
export async function checkProjectors(parts: Parts, area: Area): Promise<void> {
  try {
    const { findings, workers } = await readStatus(parts, AbortSignal.timeout(READ_MS));
    if (workers.length > 0)
      area.ok(
        'alive',
        `${counted(workers.length, 'projector')} ${workers.length === 1 ? 'is' : 'are'} alive.`,
      );
    const hint = `Before the first start this is as it should be; "${commandLine('status')}" says the same.`;
    for (const finding of findings)
      if (CODES.has(finding.code)) area.warning(finding.subject, englishOf(finding), hint);
  } catch (thrown) {
    area.notChecked('alive', messageOf(thrown));
  }
}
