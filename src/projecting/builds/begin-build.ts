import { withNewBuild } from '../../stores/version-claims.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { changeAlias } from '../../stores/aliases.ts';
import type { Projection } from '../engine/projection.ts';

/**
 * Begins another build of a read model by this fold, beside what there is: projectors find it in the alias. Returns its
 * name, or why not: the read model was never started, or its documents of this version are another fold's.
 */
export async function beginBuildOf(
  documents: Documents,
  { name, version }: Pick<Projection, 'name' | 'version'>,
  fold: string,
): Promise<{ readonly build: string } | { readonly refused: string }> {
  let begun: { readonly build: string } | { readonly refused: string } = {
    refused: `${name} was never projected`,
  };
  await changeAlias(documents, name, (alias) => {
    if (alias === null) return null;
    const known = alias.folds[version];
    if (known !== undefined && known !== fold) {
      begun = { refused: `the documents of ${name}@${version} are those of another fold` };
      return null;
    }
    const { build, next } = withNewBuild(alias, name, version);
    begun = { build };
    return { ...next, folds: { ...alias.folds, [version]: fold } };
  });
  return begun;
}
