/**
 * Who may import whom. Printed whole when the test fails, so that the answer stands beside the question.
 * A row applies to the files whose path starts with `from`; of several rows the longest `from` wins.
 */
export interface Row {
  readonly from: string;
  /** Path prefixes of ours, or exact files. */
  readonly ours: readonly string[];
  /** Packages, `node:` for all of Node's own modules. */
  readonly packages: readonly string[];
}

const PORTS = [
  'src/events/log/port.ts',
  'src/stores/documents/port.ts',
  'src/stores/search/port.ts',
  // What every user of documents changes them by.
  'src/stores/documents/change-document.ts',
];

const AROUND_PROJECTING = [
  'src/events/*.ts',
  // Where a key's records stand: a rule of the port, the same in every log.
  'src/events/log/partitioner.ts',
  ...PORTS,
  // How they read page by page.
  'src/stores/documents/pages.ts',
  'src/stores/*.ts',
  // Why a lane has halted is told in the words of the catalogue.
  'src/texts/',
  'src/findings/',
  'src/platform/',
];

export const TABLE: readonly Row[] = [
  // One catalogue of what people read, and how its places are filled.
  { from: 'src/texts/', ours: ['src/texts/'], packages: [] },
  {
    from: 'src/platform/',
    ours: ['src/platform/'],
    packages: ['node:', 'pino', 'zod', 'prom-client', 'canonicalize'],
  },
  // What is late or broken, in words: said by all, and knowing none of them.
  { from: 'src/findings/', ours: ['src/findings/', 'src/texts/', 'src/platform/'], packages: [] },
  { from: 'src/events/', ours: ['src/events/', 'src/platform/'], packages: ['node:', 'zod'] },
  // An archive knows a log by its port alone, and nothing of what its records mean.
  {
    from: 'src/keep/',
    ours: [
      'src/keep/',
      'src/events/original-time.ts',
      'src/events/log/port.ts',
      'src/events/log/partitioner.ts',
      'src/projecting/engine/retry.ts',
      'src/config.ts',
      'src/platform/',
    ],
    packages: ['node:', 'zod'],
  },
  {
    from: 'src/events/log/kafka/',
    ours: ['src/events/log/', 'src/platform/'],
    packages: ['node:', 'kafkajs'],
  },
  { from: 'src/stores/', ours: ['src/stores/', 'src/platform/'], packages: ['node:'] },
  // Roots of words are found by Snowball's rules.
  {
    from: 'src/stores/search/query/',
    ours: ['src/stores/search/query/', 'src/platform/'],
    packages: ['node:', '@orama/stemmers'],
  },
  {
    from: 'src/stores/documents/mongodb/',
    ours: ['src/stores/documents/', 'src/platform/'],
    packages: ['node:', 'mongodb'],
  },
  {
    from: 'src/stores/search/meilisearch/',
    ours: ['src/stores/search/', 'src/platform/'],
    packages: ['node:', 'meilisearch'],
  },
  // The engine is not to know what feeds the search index, nor either of them what looks at it.
  {
    from: 'src/projecting/engine/',
    ours: ['src/projecting/engine/', ...AROUND_PROJECTING],
    packages: ['node:'],
  },
  {
    from: 'src/projecting/search/',
    ours: ['src/projecting/engine/', 'src/projecting/search/', ...AROUND_PROJECTING],
    packages: ['node:'],
  },
  { from: 'src/projecting/', ours: ['src/projecting/', ...AROUND_PROJECTING], packages: ['node:'] },
  {
    from: 'projections/',
    ours: [
      'src/events/*.ts',
      'src/projecting/engine/projection.ts',
      'src/projecting/engine/register.ts',
      'src/stores/documents/port.ts',
      'src/stores/search/port.ts',
      // Queries and entries must be spelt by the same rules.
      'src/platform/text/search-text.ts',
      'src/platform/text/transliterate.ts',
      // What readers are told of a field stands beside it.
      'src/platform/schema-field-texts.ts',
    ],
    packages: ['zod'],
  },
  {
    from: 'src/access/',
    ours: [
      'src/access/',
      'src/stores/documents/port.ts',
      'src/stores/documents/change-document.ts',
      'src/stores/store-time.ts',
      'src/stores/time-limit.ts',
      'src/platform/',
    ],
    packages: ['node:'],
  },
  {
    from: 'src/monitor/',
    ours: [
      'src/monitor/',
      'projections/monitor/document.ts',
      // What stored hours and latencies are counted by.
      'projections/monitor/hours.ts',
      'projections/monitor/latency-bucket.ts',
      'src/stores/*.ts',
      'src/stores/documents/port.ts',
      'src/stores/documents/pages.ts',
      'src/texts/',
      'src/platform/',
    ],
    packages: ['node:', 'zod'],
  },
  {
    from: 'src/api/',
    ours: [
      'src/api/',
      ...PORTS.slice(1),
      // Words of a query name categories, which the reading knows.
      'src/stores/search/query/',
      // What of an entry matches is told by the rules that engines are asked by, of the texts that they were given.
      'src/stores/search/matches/',
      'src/stores/search/ranking/query-plan.ts',
      'src/stores/search/ranking/match-ways.ts',
      'projections/*/search-entry.ts',
      'src/stores/*.ts',
      'projections/*/document.ts',
      'projections/*/metrics.ts',
      'projections/*/score.ts',
      'src/monitor/',
      'src/access/',
      'src/texts/',
      'src/findings/',
      'src/platform/',
    ],
    packages: ['node:', 'express', 'zod', '@remix-run/html-template', 'marked', 'd3-scale', 'd3-shape'],
  },
  {
    // The one folder that speaks OpenID Connect.
    from: 'src/api/pages/account/oidc/',
    ours: [
      'src/api/pages/account/oidc/',
      'src/access/accounts/identities.ts',
      'src/stores/time-limit.ts',
      'src/platform/',
    ],
    packages: ['node:', 'openid-client'],
  },
  {
    // It reads documents of any version by their fields alone, so no read model is known to it; incidents are computed, by the
    // monitor's own functions.
    from: 'src/analysis/',
    ours: [
      'src/analysis/',
      'src/monitor/',
      'src/events/parse-cloudevent.ts',
      'src/events/original-time.ts',
      'src/events/log/port.ts',
      'src/stores/*.ts',
      'src/stores/documents/port.ts',
      'src/projecting/engine/retry.ts',
      'src/platform/',
    ],
    packages: ['node:'],
  },
  {
    from: 'src/admin/',
    ours: ['src/admin/', 'src/findings/', 'src/stores/time-limit.ts', 'src/platform/'],
    packages: ['node:', 'express'],
  },
  // The operator page: in the looks of the other pages, made of what the command line is made of.
  {
    from: 'src/admin/operator/',
    ours: [
      'src/admin/',
      'src/operations/',
      'src/findings/',
      'src/compose/parts.ts',
      'src/api/pages/shell/',
      'src/api/pages/parts/table.ts',
      'src/api/pages/parts/facts.ts',
      'src/api/pages/root-redirect.ts',
      'src/access/accounts/tokens.ts',
      'src/access/keys/key-format.ts',
      'src/texts/',
      'src/platform/',
    ],
    packages: ['node:', 'express'],
  },
  {
    from: 'src/operations/',
    ours: [
      'src/operations/',
      'src/compose/',
      // Replays are of an archive, too; and of the listings with another score.
      'src/keep/',
      'projections/listings/',
      // What readers saw at some time is presented as the API does it.
      'projections/categories/document.ts',
      'src/api/',
      'src/config.ts',
      'src/findings/',
      'src/access/',
      'src/events/',
      'src/projecting/',
      'src/sample/',
      'src/stores/*.ts',
      ...PORTS,
      'src/texts/',
      'src/platform/',
    ],
    packages: ['node:'],
  },
  { from: 'src/sample/', ours: ['src/sample/', 'src/events/*.ts', 'src/platform/'], packages: ['node:'] },
  { from: 'src/compose/', ours: ['src/', 'projections/', 'earlier/index.ts'], packages: ['node:'] },
  { from: 'src/cli/', ours: ['src/', 'projections/'], packages: ['node:', 'commander', 'ora', 'd3-scale'] },
  { from: 'src/', ours: ['src/', 'projections/'], packages: ['node:', 'zod'] },
];
