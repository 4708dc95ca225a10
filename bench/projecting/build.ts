import { listings } from '../../projections/listings/index.ts';
import { compose } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { peakMemory } from '../process.ts';
import { foldAll, HIDDEN } from './fold-all.ts';
import type { Built } from './messages.ts';

/** A build that nobody sees yet, alone in a process of its own. `build.ts NAME`. */

const [name = ''] = process.argv.slice(2);
const projection = { ...listings, build: name } as Projection;
const parts = await compose(readConfig(process.env), 'bench');
const folded = await foldAll(parts, projection, { gate: HIDDEN });
await parts[Symbol.asyncDispose]();
const built: Built = { ...folded, peak: peakMemory() };
process.stdout.write(`${JSON.stringify(built)}\n`);
