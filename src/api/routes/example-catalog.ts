import { content, type Content, type PublishedView } from '../../../projections/listings/document.ts';
import { scoreOf } from '../../../projections/listings/score.ts';
import { exampleOf } from '../../platform/schema-field-texts.ts';
import { buildTaxonomy } from '../reading/build-taxonomy.ts';
import type { PublishedListing } from '../reading/listing-queries.ts';
import example from './example-catalog.json' with { type: 'json' };

/** The entry and the categories of which the examples of all answers are made. */

// The fields' own examples make a whole entry. It is shown with fields that are null, too.
const CONTENT: Content = { ...(exampleOf(content) as Content), ...example.content };

const { metrics } = example;
const VIEW: PublishedView = {
  ...CONTENT,
  kind: 'channel',
  published: true,
  updated_at: metrics.measured_at,
  audience: { value: metrics.subscribers, unit: 'subscribers' },
  metrics,
  score: scoreOf(CONTENT, { kind: 'channel', metrics }),
};

export const ENTRY: PublishedListing = { id: 'ai-news', version: '', view: VIEW };

export const TAXONOMY = buildTaxonomy(
  example.categories.map(({ slug, ...definition }) => ({ slug, view: { defined: true, ...definition } })),
);
