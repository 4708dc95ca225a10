import type { Config } from '../../../config.ts';
import type { Area } from './report.ts';

/** What the environment says, taken by itself. Wrong values have ended the command before. */
export function checkConfiguration(area: Area, config: Config): void {
  const { logUrl, documentsUrl, searchUrl, searchKey, keyPepper, publicUrl } = config;
  area.ok(
    'stores',
    `log ${logUrl.scheme}, documents ${documentsUrl.scheme}, search ${searchUrl.scheme}; every variable is readable.`,
  );
  if (logUrl.scheme === 'kafka' && logUrl.sasl !== null && logUrl.tls === null)
    area.warning(
      'password of the log',
      'CATALOG_LOG_URL sends a password over a connection that is not encrypted.',
      'Add tls=true to CATALOG_LOG_URL.',
    );
  if (searchUrl.scheme === 'meilisearch' && searchKey === null)
    area.warning(
      'key of the search engine',
      'CATALOG_SEARCH_KEY is not set: a Meilisearch that asks for no key takes everybody.',
      'Give Meilisearch a master key, and set CATALOG_SEARCH_KEY to one of its keys.',
    );
  if (keyPepper === null && (logUrl.scheme === 'kafka' || searchUrl.scheme === 'meilisearch'))
    area.warning(
      'pepper',
      'the pepper is in the data folder of this machine; another machine would not know the keys.',
      'Set CATALOG_KEY_PEPPER to the same secret for every process.',
    );
  if (publicUrl === null && documentsUrl.scheme !== 'sqlite')
    area.warning(
      'public address',
      'CATALOG_PUBLIC_URL is not set: links in answers begin with http://localhost.',
      'Set it to the address that clients use.',
    );
}
