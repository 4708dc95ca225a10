/** What a command has written to its standard error without lines of progress: how many there are is a matter of the machine's speed. */
export function withoutProgress(stderr: string): string {
  const lines = stderr.split('\n');
  return lines.filter((line) => !PROGRESS.test(line)).join('\n');
}

/** `164 of 300 records of listings@2-b2 folded, 82/s, 2 s left`, or `164 events written, 82/s`. */
const PROGRESS = /^[\d,]+ (of [\d,]+ [\w@ -]+(,|$)|[\w@ -]+, [\d,]+\/s)/;
