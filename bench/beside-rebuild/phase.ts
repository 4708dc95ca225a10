import type { Parts } from '../../src/compose/parts.ts';
import { lanesOf } from '../../src/projecting/builds/lanes.ts';
import { readBuild } from '../../src/stores/builds.ts';
import { readAlias } from '../../src/stores/live.ts';

/** What is being done for a build that is to become live. */
export type Phase = 'folding' | 'indexing' | 'verifying';

export async function phaseOf({ documents, log }: Parts): Promise<Phase> {
  const alias = await readAlias(documents, 'listings');
  const build = alias?.beside.at(-1);
  if (build === undefined) return 'folding';
  if ((await readBuild(documents, build))?.completed_at) return 'verifying';
  const lanes = await lanesOf(documents, build);
  if (lanes.length === 0) return 'folding';
  for (const { topic, partition, position } of lanes) {
    const end = (await log.ends(topic)).find((one) => one.partition === partition);
    if (end && position < end.latest) return 'folding';
  }
  return 'indexing';
}
