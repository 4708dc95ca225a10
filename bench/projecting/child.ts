import { compose, type Parts } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { OPEN_GATE } from '../../test/support/open-gate.ts';
import { answerParent } from '../child-process.ts';
import { peakMemory } from '../process.ts';
import { foldAll } from './fold-all.ts';
import { BUILD, type Measured, type Mode } from './measured.ts';
import { naive } from './naive.ts';
import { projector } from './projector.ts';

/** `child.ts MODE` */

/** Prepares the work; what it resolves with does it, is measured, and says how many events it took in. */
export type Work = (parts: Parts) => Promise<() => Promise<number>>;

const WORK: Readonly<Record<Mode, Work>> = {
  projector,
  naive,
  // In passes as readers wait for them; no index is told of anything.
  documents: async (parts) => async () =>
    foldAll(parts, { ...BUILD, build: 'alone' }, { rejectedTopic: parts.topicName('catalog.rejected') }),
  build: async (parts) => async () => foldAll(parts, BUILD, { gate: { ...OPEN_GATE, isLive: () => false } }),
};

answerParent(async (): Promise<Measured> => {
  await using parts = await compose(readConfig(process.env), 'bench');
  const begin = await WORK[process.argv[2] as Mode](parts);
  const [began, before] = [performance.now(), process.cpuUsage()];
  const events = await begin();
  const tookMs = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  return { events, tookMs, cpuMs: (user + system) / 1000, peak: peakMemory() };
});
