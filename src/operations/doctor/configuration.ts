import { ok, warning, type Area, type Check } from './check.ts';
import texts from './texts.json' with { type: 'json' };

/** What the environment says, taken by itself. Values that cannot be read have ended the command before. */
export const configurationArea: Area = {
  name: 'configuration',
  roles: ['project', 'serve', 'accounts'],
  checks: ({ config }) => {
    const { logUrl, documentsUrl, searchUrl, searchKey, keyPepper, publicUrl, oidc } = config;
    const stores = `log ${logUrl.scheme}, documents ${documentsUrl.scheme}, search ${searchUrl.scheme}`;
    const hasServices = logUrl.scheme === 'kafka' || searchUrl.scheme === 'meilisearch';
    const isOdd: Readonly<Record<keyof typeof texts.configuration, boolean>> = {
      'password of the log': logUrl.scheme === 'kafka' && logUrl.sasl !== null && logUrl.tls === null,
      'key of the search engine': searchUrl.scheme === 'meilisearch' && searchKey === null,
      pepper: keyPepper === null && hasServices,
      'public address': publicUrl === null && (documentsUrl.scheme !== 'sqlite' || oidc !== null),
      'who may sign in': oidc?.allow.length === 0,
    };
    return [
      { name: 'stores', look: () => ok(`${stores}; every variable is readable.`) },
      ...Object.entries(texts.configuration).map(([name, { message, hint }]): Check => {
        return { name, look: () => (isOdd[name as keyof typeof isOdd] ? warning(message, hint) : null) };
      }),
    ];
  },
};
