import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What this process holds once everything that nobody refers to is collected, in bytes. */
export function heldMemory(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Twice: the bytes of buffers are freed beside the first one, and the second one waits for that.
  collect();
  collect();
  return process.memoryUsage();
}
