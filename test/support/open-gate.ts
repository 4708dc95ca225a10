import type { BuildGate } from '../../src/projecting/engine/lane-context.ts';

/** For a read model of which nobody ever makes another build live. */
export const OPEN_GATE: BuildGate = {
  isLive: () => true,
  pauseOf: () => null,
  look: async () => undefined,
  onPause: () => undefined,
};
