import { describe, expect, test } from 'vitest';

import { categories } from '../../../../projections/categories/index.ts';
import { categoryDefined, categoryRemoved, decoded, published } from '../../../support/events.ts';
import { numberOfTimes, specify } from '../../../support/specification.ts';

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

  test('without a parent is a root', () => {
    given(categoryDefined()).thenShows({ defined: true, parent: null });
  });

  test('is what its highest revision says, however often and in whatever order it is said', () => {
    given(categoryDefined({ revision: 3, parent: 'newer' }))
      .when(numberOfTimes(3, categoryDefined({ revision: 2, parent: 'older' })))
      .thenShows({ parent: 'newer' });
  });

  test('that is removed keeps nothing but its tombstone', () => {
    given(categoryDefined({ revision: 1 }))
      .when(categoryRemoved({ revision: 2 }))
      .thenHolds(({ registers, view }) => {
        expect(view).toEqual({ defined: false });
        expect(registers.definition).toMatchObject({ at: 2, value: null });
      });
  });

  test('that is removed does not come back with a definition of the same or an older revision', () => {
    given(categoryRemoved({ revision: 2 }))
      .when(categoryDefined({ revision: 2 }), categoryDefined({ revision: 1 }))
      .thenShows({ defined: false });
  });

  test('that is removed comes back with a newer definition', () => {
    given(categoryDefined({ revision: 1 }), categoryRemoved({ revision: 2 }))
      .when(categoryDefined({ revision: 3, parent: 'technology' }))
      .thenShows({ defined: true, parent: 'technology' });
  });

  test('with two definitions of one revision is the one with the greater digest', () => {
    const one = categoryDefined({ revision: 1, parent: 'one' });
    const two = categoryDefined({ revision: 1, parent: 'two' });
    given(one, two).thenShows({ parent: decoded(one).digest > decoded(two).digest ? 'one' : 'two' });
  });

  test('is its own document, and takes nothing from events of other families', () => {
    expect(categories.documentId(decoded(categoryDefined({ subject: 'art' })))).toBe('art');
    expect(categories.documentId(decoded(categoryRemoved({ subject: 'art' })))).toBe('art');
    expect(categories.documentId(decoded(published()))).toBeNull();
  });
});
