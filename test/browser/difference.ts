import type { Browser } from 'playwright-core';

/**
 * How much two pictures differ: the part of all cells, each some 10 pixels wide, whose colour is clearly another one. 1 where
 * their sizes differ.
 */
export async function differenceOf(browser: Browser, a: Buffer, b: Buffer): Promise<number> {
  const page = await browser.newPage();
  try {
    return await page.evaluate(
      compared,
      [a, b].map((one) => `data:image/jpeg;base64,${one.toString('base64')}`),
    );
  } finally {
    await page.close();
  }
}

async function compared(addresses: readonly string[]): Promise<number> {
  const cellsOf = async (address: string) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const [width, height] = [Math.round(image.width / 10), Math.round(image.height / 10)];
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('There is no canvas');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    return context.getImageData(0, 0, width, height);
  };
  const [first, second] = await Promise.all(addresses.map(cellsOf));
  if (!first || !second || first.width !== second.width || first.height !== second.height) return 1;
  let different = 0;
  for (let index = 0; index < first.data.length; index += 4) {
    const distance = [0, 1, 2].reduce(
      (sum, channel) =>
        sum + Math.abs((first.data[index + channel] ?? 0) - (second.data[index + channel] ?? 0)),
      0,
    );
    if (distance > 90) different += 1;
  }
  return different / (first.data.length / 4);
}
