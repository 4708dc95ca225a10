import { describe, expect, onTestFinished, test } from 'vitest';

import type { Parts } from '../../../../src/compose/parts.ts';
import type { Area, CheckResult } from '../../../../src/operations/doctor/check.ts';
import { examineArea } from '../../../../src/operations/doctor/run-checks.ts';
import { configurationArea } from '../../../../src/operations/doctor/configuration.ts';
import { providerArea } from '../../../../src/operations/doctor/provider.ts';
import { readConfig } from '../../../../src/config.ts';
import { startFakeProvider, type FakeAnswers, type FakeProvider } from '../../../support/fake-provider.ts';
import { taking } from '../../../support/fake-sign-in.ts';
import { freePort } from '../../../support/free-ports.ts';

/** The configuration alone is looked at. */
async function examine(
  environment: Readonly<Record<string, string>>,
  area: Area = providerArea,
): Promise<readonly CheckResult[]> {
  return await examineArea(area, { config: readConfig(environment) } as Parts, 'project');
}

async function started(answers: FakeAnswers = {}): Promise<FakeProvider> {
  const provider = await startFakeProvider(answers, () => '');
  onTestFinished(() => provider[Symbol.asyncDispose]());
  return provider;
}

const clientAt = (issuer: string) => ({
  CATALOG_OIDC_ISSUER: issuer,
  CATALOG_OIDC_CLIENT_ID: 'catalog',
  CATALOG_OIDC_CLIENT_SECRET: 'secret',
  CATALOG_OIDC_ALLOW: '*',
  CATALOG_PUBLIC_URL: 'https://catalog.example',
});

describe('the doctor', () => {
  test('says that there is no provider, and asks nobody', async () => {
    expect(await examine({})).toMatchObject([{ name: 'issuer', verdict: 'not_checked' }]);
  });

  test('reads the metadata of the provider, and says how the client proves itself there', async () => {
    const { issuer } = await started({ path: '/realms/catalog', ...taking('client_secret_post') });
    expect(await examine(clientAt(issuer))).toMatchObject([
      {
        name: 'issuer',
        verdict: 'ok',
        message: `its metadata names the issuer ${issuer}; the client proves itself by client_secret_post.`,
      },
    ]);
  });

  test('names both spellings of an issuer that do not agree', async () => {
    const { issuer } = await started({ path: '/realms/catalog' });
    const [problem, ...others] = await examine(clientAt(`${issuer}/`));
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ verdict: 'problem', name: 'issuer' });
    expect(problem?.message).toContain(`its metadata names the issuer ${issuer}, not ${issuer}/`);
    expect(problem?.hint).toMatch(/^Set CATALOG_OIDC_ISSUER letter by letter/);
  });

  test('tells a provider that is not there from one that can never work', async () => {
    const [down] = await examine(clientAt(`http://127.0.0.1:${await freePort()}`));
    expect(down).toMatchObject({
      verdict: 'problem',
      hint: expect.stringMatching(/may this machine reach it/),
    });
    const { issuer } = await started(taking('private_key_jwt'));
    const [never] = await examine(clientAt(issuer));
    expect(never).toMatchObject({
      verdict: 'problem',
      message: expect.stringContaining('private_key_jwt'),
      hint: expect.stringMatching(/^Register the client with a secret/),
    });
  });

  test('warns where nobody is let in, or people would be sent to localhost', async () => {
    const { issuer } = await started();
    const { CATALOG_OIDC_ISSUER, CATALOG_OIDC_CLIENT_ID } = clientAt(issuer);
    const env = { CATALOG_OIDC_ISSUER, CATALOG_OIDC_CLIENT_ID };
    expect(await examine(env)).toMatchObject([
      { verdict: 'ok', message: expect.stringMatching(/by PKCE alone\.$/) },
    ]);
    const odd = (await examine(env, configurationArea)).filter(({ verdict }) => verdict === 'warning');
    expect(odd.map(({ name }) => name)).toEqual(['public address', 'who may sign in']);
  });
});
