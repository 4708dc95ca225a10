import { compose } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { peakMemory } from '../process.ts';
import { documentsAlone } from './documents-alone.ts';
import type { Measured, Mode } from './messages.ts';
import { naive } from './naive.ts';
import { projector } from './projector.ts';
import type { Work } from './work.ts';

/** One side of the comparison, alone in a process of its own. `child.ts MODE`, with the configuration in the environment. */

const WORK: Readonly<Record<Mode, Work>> = {
  projector,
  documents: documentsAlone,
  naive,
};

const parts = await compose(readConfig(process.env), 'bench');
const begin = await WORK[process.argv[2] as Mode](parts);
const [began, before] = [performance.now(), process.cpuUsage()];
const done = await begin();
const tookMs = performance.now() - began;
const { user, system } = process.cpuUsage(before);
const peak = peakMemory();
await parts[Symbol.asyncDispose]();
const measured: Measured = { tookMs, cpuMs: (user + system) / 1000, peak, ...done };
process.stdout.write(`${JSON.stringify(measured)}\n`);
