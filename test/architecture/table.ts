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

function row(from: string, ours: string, packages: string): Row {
  return { from, ours: ours.split(/\s+/), packages: packages === '' ? [] : packages.split(' ') };
}

/** And what every user of documents changes them by. */
const STORE_PORTS = `src/stores/documents/port.ts src/stores/search/port.ts
  src/stores/documents/change-document.ts`;

/**
 * The partitioner says where a key's records stand: a rule of the port, the same in every log. The stores are read page by
 * page. Why a lane has halted is told in the words of the catalogue.
 */
const AROUND_PROJECTING = `src/events/*.ts src/events/log/port.ts src/events/log/partitioner.ts
  ${STORE_PORTS} src/stores/documents/pages.ts src/stores/*.ts
  src/texts/ src/findings/ src/platform/`;

export const TABLE: readonly Row[] = [
  // One catalogue of what people read, and how its places are filled.
  row('src/texts/', 'src/texts/', ''),
  row('src/platform/', 'src/platform/', 'node: pino zod prom-client'),
  // What is late or broken, in words: said by all, and knowing none of them.
  row('src/findings/', 'src/findings/ src/texts/ src/platform/', ''),
  row('src/events/', 'src/events/ src/platform/', 'node: zod'),
  // An archive knows a log by its port alone, and nothing of what its records mean.
  row(
    'src/keep/',
    `src/keep/ src/events/original-time.ts src/events/log/port.ts src/events/log/partitioner.ts
     src/projecting/engine/retry.ts src/config.ts src/platform/`,
    'node: zod',
  ),
  row('src/events/log/kafka/', 'src/events/log/ src/platform/', 'node: kafkajs'),
  row('src/stores/', 'src/stores/ src/platform/', 'node:'),
  // Roots of words are found by Snowball's rules.
  row('src/stores/search/query/', 'src/stores/search/query/ src/platform/', 'node: @orama/stemmers'),
  row('src/stores/documents/mongodb/', 'src/stores/documents/ src/platform/', 'node: mongodb'),
  row('src/stores/search/meilisearch/', 'src/stores/search/ src/platform/', 'node: meilisearch'),
  // The engine is not to know what feeds the search index, nor either of them what looks at it.
  row('src/projecting/engine/', `src/projecting/engine/ ${AROUND_PROJECTING}`, 'node:'),
  row(
    'src/projecting/search/',
    `src/projecting/engine/ src/projecting/search/ ${AROUND_PROJECTING}`,
    'node:',
  ),
  row('src/projecting/', `src/projecting/ ${AROUND_PROJECTING}`, 'node:'),
  // Queries and entries must be spelt by the same rules. What readers are told of a field stands beside it.
  row(
    'projections/',
    `src/events/*.ts src/projecting/engine/projection.ts src/projecting/engine/register.ts
     src/stores/documents/port.ts src/stores/search/port.ts
     src/platform/text/search-text.ts src/platform/text/transliterate.ts src/platform/schema-field-texts.ts`,
    'zod',
  ),
  row(
    'src/access/',
    `src/access/ src/stores/documents/port.ts src/stores/documents/change-document.ts
     src/stores/store-time.ts src/stores/time-limit.ts src/platform/`,
    'node:',
  ),
  // Stored hours and latencies are counted by what the projection counts them by.
  row(
    'src/monitor/',
    `src/monitor/ projections/monitor/document.ts projections/monitor/hours.ts
     projections/monitor/latency-bucket.ts src/stores/*.ts src/stores/documents/port.ts
     src/stores/documents/pages.ts src/texts/ src/platform/`,
    'node: zod',
  ),
  // Words of a query name categories, which the reading knows. What of an entry matches is told by the rules that engines are
  // asked by, of the texts that they were given.
  row(
    'src/api/',
    `src/api/ ${STORE_PORTS} src/stores/search/query/ src/stores/search/matches/
     src/stores/search/ranking/query-plan.ts src/stores/search/ranking/match-way-values.ts
     projections/*/search-entry.ts src/stores/*.ts projections/*/document.ts projections/*/metrics.ts
     projections/*/score.ts src/monitor/ src/access/ src/texts/ src/findings/ src/platform/`,
    'node: express zod @remix-run/html-template marked d3-scale d3-shape',
  ),
  // The one folder that speaks OpenID Connect.
  row(
    'src/api/pages/account/oidc/',
    `src/api/pages/account/oidc/ src/access/accounts/identities.ts src/stores/time-limit.ts src/platform/`,
    'node: openid-client',
  ),
  // It reads documents of any version by their fields alone, so no read model is known to it; incidents are computed, by the
  // monitor's own functions.
  row(
    'src/analysis/',
    `src/analysis/ src/monitor/ src/events/parse-cloudevent.ts src/events/original-time.ts
     src/events/log/port.ts src/stores/*.ts src/stores/documents/port.ts src/projecting/engine/retry.ts
     src/platform/`,
    'node:',
  ),
  row('src/admin/', 'src/admin/ src/findings/ src/stores/time-limit.ts src/platform/', 'node: express'),
  // The operator page: in the looks of the other pages, made of what the command line is made of.
  row(
    'src/admin/operator/',
    `src/admin/ src/operations/ src/findings/ src/compose/parts.ts src/api/pages/shell/
     src/api/pages/parts/table.ts src/api/pages/parts/facts.ts src/api/pages/root-redirect.ts
     src/access/accounts/tokens.ts src/access/keys/key-format.ts src/texts/ src/platform/`,
    'node: express',
  ),
  // Replays are of an archive, too; and of the listings with another score. What readers saw at some time is presented as the
  // API does it.
  row(
    'src/operations/',
    `src/operations/ src/compose/ src/keep/ projections/listings/ projections/categories/document.ts
     src/api/ src/config.ts src/findings/ src/access/ src/events/ src/projecting/ src/sample/
     src/stores/*.ts src/events/log/port.ts ${STORE_PORTS} src/texts/ src/platform/`,
    'node:',
  ),
  row('src/sample/', 'src/sample/ src/events/*.ts src/platform/', 'node:'),
  row('src/compose/', 'src/ projections/ earlier/index.ts', 'node:'),
  row('src/cli/', 'src/ projections/', 'node: commander ora d3-scale'),
  row('src/', 'src/ projections/', 'node: zod'),
];
