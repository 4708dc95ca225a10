/** What a command has written without its lines of progress: how many of them there are is a matter of the machine's speed. */
export function withoutProgress<Written extends { readonly stderr: string }>(written: Written): Written {
  const lines = written.stderr.split('\n');
  return { ...written, stderr: lines.filter((line) => !PROGRESS.test(line)).join('\n') };
}

/** `164 of 300 events written, 82/s, 2 s left`, or `164 events written, 82/s`. */
const PROGRESS = /^[\d,]+ (of [\d,]+ [a-z ]+(,|$)|[a-z ]+, [\d,]+\/s)/;
