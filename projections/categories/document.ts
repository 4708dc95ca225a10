import { z } from 'zod';

import type { Written } from '../../src/projecting/register.ts';

/** What a category document holds. The tree is not stored: readers compute it from all categories (tree.ts). */

export const definition = z.object({
  parent: z.string().nullable(),
  title: z.object({ ru: z.string(), en: z.string() }),
});
export type Definition = z.infer<typeof definition>;

export interface CategoryRegisters {
  /** By revision; null inside is the tombstone of a removed category. */
  readonly definition: Written<Definition> | null;
}

export type CategoryView =
  | ({ readonly defined: true } & Definition)
  | { readonly defined: false };
