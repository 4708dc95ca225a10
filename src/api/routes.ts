import type { ApiRoute } from './api-route-contract.ts';
import { categories } from './routes/categories.ts';
import { listing } from './routes/listing.ts';
import { search } from './routes/search.ts';
import { status } from './routes/status.ts';
import { top } from './routes/top.ts';

/** Every address of the API itself; the OpenAPI document describes them. */
export const ROUTES: readonly ApiRoute[] = [search, listing, top, categories, status];
