import { listings } from '../../projections/listings/index.ts';
import { compose } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { peakMemory } from '../process.ts';
import { type Folded, foldAll, HIDDEN } from './fold-all.ts';
import type { Built } from './messages.ts';

/** A build that nobody sees yet, alone in a process of its own. `build.ts NAME [RECORDS]`: with records, one batch after the other. */

const [name = '', records] = process.argv.slice(2);
const projection = { ...listings, build: name } as Projection;
const parts = await compose(readConfig(process.env), 'bench');
const folded: Folded =
  records === undefined
    ? await foldAll(parts, projection, { gate: HIDDEN })
    : await foldAll(parts, projection, { passRecords: 1 }, Number(records));
await parts[Symbol.asyncDispose]();
const built: Built = { ...folded, peak: peakMemory() };
process.stdout.write(`${JSON.stringify(built)}\n`);
