import { badKeys } from './bad-keys.ts';
import { besideRebuild } from './beside-rebuild.ts';
import { besideExpress, besideRaw } from './cached-listing.ts';
import { freshness } from './freshness.ts';
import { growth } from './growth.ts';
import { idle } from './idle.ts';
import { indexFeed } from './index-feed.ts';
import { killed } from './killed.ts';
import { lists } from './lists.ts';
import { notModified } from './not-modified.ts';
import { projection } from './projection.ts';
import { quota } from './quota.ts';
import { rebuild } from './rebuild.ts';
import { relevance } from './relevance.ts';
import type { Benchmark } from './report.ts';
import { scaleOut } from './scale-out.ts';
import { search } from './search.ts';
import { searchBefore } from './search-before.ts';
import { searching } from './searching.ts';
import { start } from './start.ts';
import { uncachedListing } from './uncached-listing.ts';

/** What `npm run bench` measures, in this order. */
export const BENCHMARKS: readonly Benchmark[] = [
  besideRaw,
  besideExpress,
  notModified,
  uncachedListing,
  lists,
  quota,
  badKeys,
  searching,
  search,
  searchBefore,
  relevance,
  projection,
  rebuild,
  besideRebuild,
  killed,
  indexFeed,
  freshness,
  idle,
  start,
  growth,
  scaleOut,
];
