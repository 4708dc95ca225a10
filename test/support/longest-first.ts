import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of these folders are the files that take longest: real processes, and what is generated. */
const LONGEST = ['/test/e2e/', '/test/simulate/', '/test/contracts/', '/test/laws/', '/test/unit/sample/'];

/**
 * What takes long begins while there is other work beside it. Vitest does so by the durations of the last run; a first run
 * would go by the sizes of files, and end with one processor waiting for the other.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number =>
      LONGEST.some((folder) => moduleId.includes(folder)) ? 0 : 1;
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
