import { setTimeout as pause } from 'node:timers/promises';

import type { Running } from './process.ts';

const PATIENCE_MS = 60_000;
const LINE_WITHIN_MS = 30_000;
/** Why a request is refused on a busy machine alone, in the words of the access log. */
const SLOWNESS = /took longer than \d+ ms|are in line for|did not come to its turn/;

/**
 * Asks again for as long as the answer is a 503 that says when to come back, as its caller is told to: on a busy machine stores may take longer
 * than a request waits for them. Such an answer costs nothing. Where the process is named, its access log has to say that this was the reason:
 * it runs with `LOG_LEVEL=info`. Whoever is told so for a minute gets it.
 */
export async function patiently(
  ask: () => Promise<Response>,
  process?: Pick<Running, 'printed'>,
): Promise<Response> {
  for (const began = performance.now(); ;) {
    const response = await ask();
    const seconds = Number(response.headers.get('retry-after'));
    if (response.status !== 503 || seconds === 0 || performance.now() - began > PATIENCE_MS) return response;
    if (process && !(await wasTooSlow(process, response.headers))) return response;
    await response.arrayBuffer();
    await pause(1000 * seconds);
  }
}

async function wasTooSlow(process: Pick<Running, 'printed'>, headers: Headers): Promise<boolean> {
  const id = String(headers.get('x-request-id'));
  const missing = pause(LINE_WITHIN_MS, null, { ref: false }).then(() => {
    throw new Error(`no line of the access log about ${id}: does it run with LOG_LEVEL=info?`);
  });
  const output = await Promise.race([process.printed(id), missing]);
  const line = output.split('\n').find((one) => one.includes(id)) ?? '';
  return SLOWNESS.test(line);
}
