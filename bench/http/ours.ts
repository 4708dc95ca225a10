import { DAILY_LIMIT } from '../../src/access/quota/quota.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { serveApi } from '../../src/compose/api.ts';
import { compose } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { overriding } from '../../test/support/overriding.ts';
import { manyKeys } from '../../test/support/many-keys.ts';
import { countAccess } from './count-access.ts';
import { serveMeasured } from './measured.ts';

/**
 * The API as it is shipped, in a process of its own, over the data folder that the environment names. With `contract` as its
 * argument it has the limit that the contract has and no keys of its own, and else none: refusals would be another measurement.
 * `contract MS`: its clock goes so many milliseconds before that of the machine.
 */
const KEYS = 25;
const UNLIMITED = 1_000_000_000;
const isContract = process.argv[2] === 'contract';
const dailyLimit = isContract ? DAILY_LIMIT : UNLIMITED;
const before = Number(process.argv[3] ?? 0);
const clock = { ...systemClock, now: () => Date.now() + before };

const parts = await compose(readConfig(process.env), 'bench', { dailyLimit, clock });
const { documents, used } = countAccess(parts.documents);
const api = await serveApi(overriding(parts, { documents }));
const keys = isContract ? [] : await manyKeys(parts, KEYS);

serveMeasured({ port: Number(new URL(api.url).port), keys }, async () => {
  const counter = await parts.registry.getSingleMetric('catalog_api_store_operations_total')?.get();
  const operations = (counter?.values ?? []).reduce((sum, { value }) => sum + value, 0);
  return { operations, ...used };
});
