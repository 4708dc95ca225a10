import { expect, test } from 'vitest';

import { categories } from '../../../../projections/categories/index.ts';
import { categoryDefined, categoryRemoved } from '../../../support/events.ts';
import { specify } from '../../../support/specification.ts';

const given = specify(categories);

test('a category that is removed keeps nothing but its tombstone', () => {
  given(categoryDefined({ revision: 1 }))
    .when(categoryRemoved({ revision: 2 }))
    .thenHolds(({ registers, view }) => {
      expect(view).toEqual({ defined: false });
      expect(registers.definition).toMatchObject({ at: 2, value: null });
    });
});
