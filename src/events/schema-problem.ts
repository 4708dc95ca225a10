import type { z } from 'zod';

import { expected, problem, type Problem, type RejectionCode } from './rejection.ts';

/** The first thing that a schema has against a value, and how many more there are. Its messages say what is accepted. */
export function firstProblem(code: RejectionCode, root: string, error: z.ZodError, value: unknown): Problem {
  const [first, ...others] = error.issues;
  if (!first) return problem(code, `${root}: expected something else`);
  const { reason } = expected(code, pathText(root, first.path), first.message, at(value, first.path));
  return problem(code, others.length === 0 ? reason : `${reason} (and ${others.length} more)`);
}

/** `data.links[0].url` */
function pathText(root: string, path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return root === '' ? steps.replace(/^\./, '') || 'value' : `${root}${steps}`;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
      ? (inner as Record<PropertyKey, unknown>)[step]
      : undefined;
  }, value);
}
