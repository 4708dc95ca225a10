import type { RequestHandler } from 'express';

import type { Parts } from '../../compose/parts.ts';
import { createOperator } from '../../operations/thread/start.ts';
import type { AdminOptions } from '../app.ts';
import { createOperatorPages } from './pages.ts';
import type { Standing } from './visit.ts';

/** The operator page of a process. What it asks stands on `stack`, to be closed with the process. */
export function operatorPagesOf(
  { config, clock, logger }: Parts,
  standing: Standing,
  stack: AsyncDisposableStack,
): NonNullable<AdminOptions['operatorPages']> {
  const scope = standing === 'projects' ? 'all' : 'served';
  // The database user of the account pages may read nothing of what it would ask for.
  const operator = standing === 'accounts' ? null : stack.use(createOperator({ config, scope }));
  return (judged): RequestHandler =>
    createOperatorPages({ standing, judged, operator, secret: config.operatorSecret, clock, logger });
}
