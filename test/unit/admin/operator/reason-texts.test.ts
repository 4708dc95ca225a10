import { expect, test } from 'vitest';

import { OPERATOR_TEXTS } from '../../../../src/admin/operator/texts.ts';
import { LOCALES } from '../../../../src/api/messages/texts.ts';
import { REJECTION_CODES } from '../../../../src/events/rejection.ts';

test.each(LOCALES)('each reason for which events are refused is told in %s', (locale) => {
  const { reasons } = OPERATOR_TEXTS[locale];
  expect(new Set(Object.keys(reasons))).toEqual(new Set(Object.keys(REJECTION_CODES)));
});
