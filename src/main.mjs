import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Stripping the types of all sources is most of what a short command costs, so Node keeps what it has compiled; this file
// comes before that, and has no types. Not in its default place, a folder that every user of the machine may write; where
// it cannot be kept, nothing else changes.
const compiled = join(import.meta.dirname, '../node_modules/.cache/catalog');
enableCompileCache(compiled);
// The threads of this process learn of it from its environment alone.
process.env['NODE_COMPILE_CACHE'] ??= compiled;

const { isService, run } = await import('./cli/run.ts');
if (!isService(process.argv.slice(2))) {
  // Folding a log again takes a core for minutes: readers of a service on this machine must not feel it.
  const { lowerProcessPriority } = await import('./platform/threads/priority.ts');
  lowerProcessPriority();
}
if (process.argv[2] === 'query') {
  const { runQueryProcess } = await import('./cli/query-process.ts');
  process.exitCode = await runQueryProcess(process.argv.slice(2));
} else {
  process.exitCode = await run(process.argv);
}
