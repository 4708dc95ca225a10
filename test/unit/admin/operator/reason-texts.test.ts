import { expect, test } from 'vitest';

import { LOCALES, TEXTS } from '../../../../src/texts/texts.ts';
import { REJECTION_CODES } from '../../../../src/events/rejection.ts';

test.each(LOCALES)('each reason for which events are refused is told in %s', (locale) => {
  const { reasons } = TEXTS[locale].operator;
  expect(new Set(Object.keys(reasons))).toEqual(new Set(Object.keys(REJECTION_CODES)));
});
