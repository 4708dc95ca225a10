/** A build as it is named: `listings@2`, a second one of the same version `listings@2-b2`. */
export interface BuildName {
  /** Of the read model: `listings`. */
  readonly name: string;
  readonly version: number;
  /** `b2`, and so on; absent for the first build of a version. */
  readonly build?: string;
}

/** The name of its collection, its index, its lanes and its group. */
export function buildName({ name, version, build }: BuildName): string {
  return `${name}@${version}${build === undefined ? '' : `-${build}`}`;
}

/** null where it is no name of a build. */
export function parseBuildName(collection: string): BuildName | null {
  const [, name, version, build] = BUILD_NAME.exec(collection) ?? [];
  if (name === undefined || version === undefined) return null;
  return { name, version: Number(version), ...(build !== undefined && { build }) };
}

/** Of two builds of one read model: by version, and within one by which was begun first. */
export function isOlderBuild(build: string, than: string): boolean {
  return rank(build) < rank(than);
}

function rank(build: string): number {
  const named = parseBuildName(build);
  return named ? named.version * 1_000_000 + buildNumber(named) : 1;
}

/** Which build of its version it is, from 1. */
export function buildNumber({ build = 'b1' }: BuildName): number {
  return Number(build.slice(1));
}

const BUILD_NAME = /^([a-z]+)@([1-9]\d{0,8})(?:-([a-z][a-z0-9-]*))?$/;
