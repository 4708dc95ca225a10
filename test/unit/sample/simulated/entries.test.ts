import { describe, expect, test } from 'vitest';

import { createRandoms } from '../../../../src/sample/random.ts';
import { createContents } from '../../../../src/sample/simulated/content.ts';
import { createBrands, createIdentities } from '../../../../src/sample/simulated/identity.ts';

const ENTRIES = 20_000;

const brandOf = createBrands(1);
const identityOf = createIdentities(createRandoms('identities'), brandOf);
const contentOf = createContents(createRandoms('contents'), () => brandOf(0));
const identities = Array.from({ length: ENTRIES }, (_, number) => identityOf(number));
const contents = identities
  .slice(0, 5000)
  .map((identity) => contentOf(identity, () => 0, '2026-01-01T00:00:00.000Z'));
const titles = contents.map(({ title }) => title as { readonly ru?: string; readonly en?: string });

function shareOf(isSo: (title: (typeof titles)[number]) => boolean): number {
  return titles.filter(isSo).length / titles.length;
}

describe('simulated entries', () => {
  test('have brands and slugs of their own', () => {
    expect(new Set(identities.map(({ slug }) => slug)).size).toBe(ENTRIES);
    expect(new Set(identities.map(({ brand }) => brand.latin)).size).toBe(ENTRIES);
  });

  test('do not depend on the entries before them', () => {
    expect(identityOf(777)).toEqual(identities[777]);
    expect(createIdentities(createRandoms('identities'), createBrands(1))(777)).toEqual(identities[777]);
  });

  test('are channels, groups, bots and mini apps, in Russian, in English and in both', () => {
    const kinds = new Set(identities.map(({ kind, subtype }) => `${kind}/${subtype}`));
    expect([...kinds].toSorted()).toEqual([
      'bot/undefined',
      'channel/broadcast',
      'channel/group',
      'miniapp/undefined',
    ]);
    expect(shareOf(({ ru, en }) => ru !== undefined && en !== undefined)).toBeGreaterThan(0.1);
    expect(shareOf(({ ru }) => ru !== undefined)).toBeGreaterThan(0.5);
    expect(shareOf(({ en }) => en !== undefined)).toBeGreaterThan(0.3);
  });

  test('link to nobody: every address is a reserved one', () => {
    const hosts = JSON.stringify(contents).match(/https:\/\/[^/"]+/g) ?? [];
    expect(hosts.length).toBeGreaterThan(5000);
    expect(hosts.filter((host) => !host.endsWith('.example'))).toEqual([]);
  });
});
