import type { ZodType } from 'zod';

import { categoryView } from '../../projections/categories/document.ts';
import { PROJECTIONS } from '../../projections/index.ts';
import { listingView } from '../../projections/listings/document.ts';
import { monitorView } from '../../projections/monitor/document.ts';
import { arbitraryHistory } from '../support/arbitrary-events.ts';
import { decoded } from '../support/events.ts';
import type { Subject } from '../support/laws.ts';

/** The shape of each projection's views, by the projection's name. */
const VIEWS: Readonly<Record<string, ZodType>> = {
  listings: listingView,
  categories: categoryView,
  monitor: monitorView,
};

/** Every projection there is, with generated events of its topics. */
export const SUBJECTS: readonly Subject[] = PROJECTIONS.map((projection) => {
  const view = VIEWS[projection.name];
  if (!view) throw new Error(`Name the schema of the views of ${projection.name} here`);
  const events = arbitraryHistory(projection.topics).map((history) => history.map(decoded));
  return { projection, view, events };
});
