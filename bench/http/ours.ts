import { serveApi } from '../../src/compose/api.ts';
import { compose } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { manyKeys } from '../../test/support/many-keys.ts';
import { serveMeasured } from './measured.ts';

/** The API as it is shipped, in a process of its own, over the data folder that the environment names. */

/** So many keys, which no slice comes near the day's limit of: refusals would be another measurement. */
const KEYS = 25;
const UNLIMITED = 1_000_000_000;

const parts = await compose(readConfig(process.env), 'bench', { dailyLimit: UNLIMITED });
const api = await serveApi(parts);
const keys = await manyKeys(parts, KEYS);

serveMeasured({ port: Number(new URL(api.url).port), keys }, async () => {
  const counter = await parts.registry.getSingleMetric('catalog_api_store_operations_total')?.get();
  return (counter?.values ?? []).reduce((sum, { value }) => sum + value, 0);
});
