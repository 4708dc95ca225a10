import { besideRebuild } from './beside-rebuild.ts';
import { contract } from './contract.ts';
import { exactness } from './exactness.ts';
import { freshness } from './freshness.ts';
import { growth } from './growth.ts';
import { keysInUse } from './keys-in-use.ts';
import { idle } from './idle.ts';
import { killed } from './killed.ts';
import { projection } from './projection.ts';
import { rebuild } from './rebuild.ts';
import type { Benchmark } from './report.ts';
import { search } from './search.ts';
import { searching } from './searching.ts';
import { start } from './start.ts';
import { uncachedListing } from './uncached-listing.ts';

/** What `npm run bench` measures, in this order. */
export const BENCHMARKS: readonly Benchmark[] = [
  contract,
  exactness,
  uncachedListing,
  searching,
  search,
  projection,
  rebuild,
  besideRebuild,
  killed,
  freshness,
  idle,
  start,
  growth,
  keysInUse,
];
