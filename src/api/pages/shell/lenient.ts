import type { Parameters, ValuesOf } from '../../http/parameters.ts';
import type { QueryParameter } from '../../http/query.ts';

/**
 * Reads the query of a page: people come with whatever somebody else has put into a link. Of each parameter the first
 * value that is one counts; what is unknown or wrong is passed over, as if it were not there.
 */
export function readLeniently<P extends Parameters>(
  parameters: P,
  sent: readonly QueryParameter[],
): ValuesOf<P> {
  const values = Object.entries(parameters).map(([name, { schema, absent }]) => {
    const read = sent
      .filter((one) => one.name === name)
      .map(({ value }) => schema.safeParse(value))
      .find(({ success }) => success);
    return [name, (read ?? absent).data] as const;
  });
  return Object.fromEntries(values) as ValuesOf<P>;
}
