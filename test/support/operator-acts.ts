import type { Act } from '../../src/operations/act-log.ts';

/** What an operator may ask for in the installation of `operator-site.ts`: one of each kind; the last would be refused. */

export const REDRIVE = { kind: 'redrive', subject: 'listings@1/catalog.entries/0/17' } as const;

export const ACTS = [
  REDRIVE,
  { kind: 'redrive_all', subject: 'catalog.entries unknown_version' },
  { kind: 'cut_over', subject: 'listings', to: 'listings@2' },
  { kind: 'rollback', subject: 'listings' },
  { kind: 'cancel', subject: 'listings@2-b2' },
  { kind: 'cancel', subject: 'listings@0' },
] as const satisfies readonly Act[];

/** Each kind once. */
export const CONFIRMED: readonly Act['kind'][] = [...new Set(ACTS.map(({ kind }) => kind))];

/** Where it is confirmed. */
export function pathOf(act: Act): string {
  return `/ru/confirm?${new URLSearchParams({ ...act }).toString()}`;
}
