import type { Config } from '../../../config.ts';
import type { Area } from './report.ts';

const HINTS = {
  unreachable:
    'Is CATALOG_OIDC_ISSUER right, and may this machine reach it? Until then nobody signs in there.',
  misconfigured:
    'Set CATALOG_OIDC_ISSUER letter by letter as the provider writes it in its metadata: docs/guides/accounts.md.',
  token: 'Register the client with a secret, or for PKCE alone: docs/guides/accounts.md.',
} as const;

/** Reads the metadata of the provider of identities, as a sign-in would, and compares the issuer. */
export async function checkProvider(area: Area, { oidc, publicUrl }: Config): Promise<void> {
  if (oidc === null) return area.notChecked('issuer', 'no provider of identities is configured.');
  await area.attempt('issuer', HINTS.unreachable, async () => {
    const { discover } = await import('../../../api/pages/account/oidc/discovery.ts');
    const found = await discover(oidc);
    if (found.outcome !== 'discovered') {
      const hint = found.outcome === 'unreachable' ? HINTS.unreachable : HINTS.misconfigured;
      area.problem(
        'issuer',
        `${found.reason} (${found.code}).`,
        found.code === 'TOKEN_AUTH' ? HINTS.token : hint,
      );
      return;
    }
    area.ok('issuer', `its metadata names the issuer ${found.issuer}.`);
    const method = found.tokenAuth === 'none' ? 'PKCE alone' : `client_secret_${found.tokenAuth}`;
    area.ok('client', `it proves itself at the token endpoint by ${method}.`);
  });
  if (publicUrl === null)
    area.warning(
      'redirect addresses',
      'CATALOG_PUBLIC_URL is not set: the provider is told to send people back to localhost.',
      'Set it to the address that people use, and register /en/account/callback and /ru/account/callback below it.',
    );
  if (oidc.allow.length === 0)
    area.warning(
      'allow',
      'CATALOG_OIDC_ALLOW names nobody: nobody is let in.',
      'Name subjects in it, or set it to *.',
    );
}
