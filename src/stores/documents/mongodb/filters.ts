import type { Document, Filter } from 'mongodb';

import type { CheckedCondition } from '../conditions.ts';
import type { StoredDocument } from './stored.ts';

export type DocumentFilter = Filter<StoredDocument>;

export function all(filters: readonly DocumentFilter[]): DocumentFilter {
  return filters.length === 0 ? {} : { $and: [...filters] };
}

export function conditionFilter(condition: CheckedCondition): DocumentFilter {
  return { [condition.path]: operandOf(condition) };
}

function operandOf(condition: CheckedCondition): Document {
  switch (condition.kind) {
    case 'equal':
      return { $eq: condition.value };
    case 'in':
      return { $in: condition.values };
    case 'range':
      return Object.fromEntries(condition.bounds.map(({ operator, value }) => [`$${operator}`, value]));
  }
}
