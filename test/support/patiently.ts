import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 60_000;

/**
 * Asks again for as long as the answer is a 503 that says when to come back, as its caller is told to: on a busy machine stores may take longer
 * than a request waits for them. Such an answer costs nothing. Whoever is told so for a minute gets it.
 */
export async function patiently(ask: () => Promise<Response>): Promise<Response> {
  for (const began = performance.now(); ;) {
    const response = await ask();
    const seconds = Number(response.headers.get('retry-after'));
    const isBusy = response.status === 503 && seconds > 0;
    if (!isBusy || performance.now() - began > PATIENCE_MS) return response;
    await response.arrayBuffer();
    await pause(1000 * seconds);
  }
}
