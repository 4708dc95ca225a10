import { buildName, parseBuildName } from './builds.ts';
import { buildsOf, type Alias } from './live.ts';

/**
 * Another build of a version: its name, and the alias with it beside the others. `listings@2`, or `listings@2-b3` where
 * there have been two. A name is never used again: what is left of a build that was dropped, or a worker that has not
 * heard of it, would be taken for the new one's.
 */
export function withAnother(
  alias: Alias,
  name: string,
  version: number,
): { readonly build: string; readonly next: Alias } {
  const standing = [...buildsOf(alias), alias.before ?? ''].flatMap((build) => {
    const named = parseBuildName(build);
    return named?.version === version ? numberOf(named.build) : [];
  });
  const number = Math.max(alias.begun[version] ?? 0, ...standing) + 1;
  const build = buildName({ name, version, ...(number > 1 && { build: `b${number}` }) });
  const begun = { ...alias.begun, [version]: number };
  return { build, next: { ...alias, beside: [...alias.beside, build], begun } };
}

function numberOf(build: string | undefined): number {
  return build === undefined ? 1 : Number(build.slice(1));
}
