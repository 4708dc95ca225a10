import { ok, warning, type Area, type Check } from './check.ts';

/** What the environment says, taken by itself. Values that cannot be read have ended the command before. */
export const configurationArea: Area = {
  name: 'configuration',
  roles: ['project', 'serve', 'accounts'],
  checks: ({ config }) => {
    const { logUrl, documentsUrl, searchUrl, searchKey, keyPepper, publicUrl, oidc } = config;
    const stores = `log ${logUrl.scheme}, documents ${documentsUrl.scheme}, search ${searchUrl.scheme}`;
    const hasServices = logUrl.scheme === 'kafka' || searchUrl.scheme === 'meilisearch';
    return [
      { name: 'stores', look: () => ok(`${stores}; every variable is readable.`) },
      warningWhere(
        logUrl.scheme === 'kafka' && logUrl.sasl !== null && logUrl.tls === null,
        'password of the log',
        'CATALOG_LOG_URL sends a password over a connection that is not encrypted.',
        'Add tls=true to CATALOG_LOG_URL.',
      ),
      warningWhere(
        searchUrl.scheme === 'meilisearch' && searchKey === null,
        'key of the search engine',
        'CATALOG_SEARCH_KEY is not set: a Meilisearch that asks for no key takes everybody.',
        'Give Meilisearch a master key, and set CATALOG_SEARCH_KEY to one of its keys.',
      ),
      warningWhere(
        keyPepper === null && hasServices,
        'pepper',
        'the pepper is in the data folder of this machine; another machine would not know the keys.',
        'Set CATALOG_KEY_PEPPER to the same secret for every process.',
      ),
      warningWhere(
        publicUrl === null && (documentsUrl.scheme !== 'sqlite' || oidc !== null),
        'public address',
        'CATALOG_PUBLIC_URL is not set: links in answers, and where a provider of identities sends people back to, begin with http://localhost.',
        'Set it to the address that people use; at a provider, register /en/account/callback and /ru/account/callback below it.',
      ),
      warningWhere(
        oidc?.allow.length === 0,
        'who may sign in',
        'CATALOG_OIDC_ALLOW names nobody: nobody is let in.',
        'Name subjects in it, or set it to *.',
      ),
    ];
  },
};

/** What may be meant, and hardly ever is. */
function warningWhere(isOdd: boolean, name: string, message: string, hint: string): Check {
  return { name, look: () => (isOdd ? warning(message, hint) : null) };
}
