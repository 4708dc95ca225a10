import { z } from 'zod';

import { categoryDefinedData } from '../../src/events/category-events.ts';
import { outputFields } from '../../src/events/fields.ts';
import type { RegisterValue } from '../../src/projecting/engine/register.ts';

/** What a category document holds. The tree is not stored: readers compute it from all categories (src/api/reading/category-tree.ts). */

const { revision: _revision, ...defined } = outputFields(categoryDefinedData.shape);
export const definition = z.object(defined);
export type Definition = z.infer<typeof definition>;

export interface CategoryRegisters {
  /** By revision; null inside is the tombstone of a removed category. */
  readonly definition: RegisterValue<Definition> | null;
}

export const categoryView = z.discriminatedUnion('defined', [
  definition.extend({ defined: z.literal(true) }),
  z.object({ defined: z.literal(false) }),
]);
/** `defined: false` is a removed category: its definition is erased. */
export type CategoryView = z.infer<typeof categoryView>;
