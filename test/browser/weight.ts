import type { Page } from 'playwright-core';

/** How many bytes came over the wire while something was done: headers and bodies, packed as they were sent. */
export async function bytesFor(page: Page, work: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await work();
  await page.waitForLoadState('networkidle');
  await session.detach();
  return bytes;
}

export const MOST_BYTES = 100_000;
/** The reference is the whole API on one page. */
export const MOST_BYTES_OF_REFERENCE = 400_000;
