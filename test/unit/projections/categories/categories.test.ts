import { describe, expect, test } from 'vitest';

import { categories } from '../../../../projections/categories/index.ts';
import { categoryDefined, categoryRemoved, decoded, published } from '../../../support/events.ts';
import { specify } from '../../../support/specification.ts';

const given = specify(categories);

describe('a category', () => {
  test('is shown with its parent and both titles', () => {
    given(
      categoryDefined({ parent: 'technology', title: { ru: 'Наука о данных', en: 'Data science' } }),
    ).thenHolds(({ view }) =>
      expect(view).toEqual({
        defined: true,
        parent: 'technology',
        title: { ru: 'Наука о данных', en: 'Data science' },
      }),
    );
  });

  test('that is removed keeps nothing but its tombstone', () => {
    given(categoryDefined({ revision: 1 }))
      .when(categoryRemoved({ revision: 2 }))
      .thenHolds(({ registers, view }) => {
        expect(view).toEqual({ defined: false });
        expect(registers.definition).toMatchObject({ at: 2, value: null });
      });
  });

  test('is its own document, and takes nothing from events of other families', () => {
    expect(categories.documentId(decoded(categoryDefined({ subject: 'art' })))).toBe('art');
    expect(categories.documentId(decoded(categoryRemoved({ subject: 'art' })))).toBe('art');
    expect(categories.documentId(decoded(published()))).toBeNull();
  });
});
