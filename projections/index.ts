import type { Projection } from '../src/projecting/engine/projection.ts';
import { categories } from './categories/index.ts';
import { listings } from './listings/index.ts';
import { monitor } from './monitor/index.ts';

/** Every read model, in the version that this release builds. */
export const PROJECTIONS: readonly Projection[] = [listings, categories, monitor];
