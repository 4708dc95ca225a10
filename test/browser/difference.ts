import type { Page } from 'playwright-core';

/** Pictures of pages as baselines keep them, and how much two of them differ. */

/** Of the worst place: a line of quiet text takes more, another smoothing of letters less. */
export const MOST_DIFFERENCE = 0.025;

export interface Compared {
  /** The picture as a baseline keeps it: half as wide, in WebP. */
  readonly kept: Buffer;
  /** How much of the worst place of the page differs, from 0 to 1; null where there is nothing to compare with. */
  readonly difference: number | null;
}

/** `shot` is a PNG of a page, `baseline` what was kept of an earlier one. `darkroom` is any page that is not looked at. */
export async function comparedWith(darkroom: Page, shot: Buffer, baseline: Buffer | null): Promise<Compared> {
  const { kept, difference } = await darkroom.evaluate(compared, {
    shot: addressOf('png', shot),
    baseline: baseline && addressOf('webp', baseline),
  });
  return { kept: Buffer.from(kept, 'base64'), difference };
}

function addressOf(type: string, picture: Buffer): string {
  return `data:image/${type};base64,${picture.toString('base64')}`;
}

/**
 * Runs in a page. Colours are compared in cells of 10 by 10 pixels of the page, so that how letters are smoothed does not
 * count; a tile of 30 by 30 cells says how much of it is clearly of another colour, so that a lost button counts on a
 * long page, too. What only one of two pictures has is another colour.
 */
async function compared({ shot, baseline }: { readonly shot: string; readonly baseline: string | null }) {
  const [CELL, TILE, CLEARLY, QUALITY] = [5, 30, 45, 0.4];
  const decoded = async (address: string) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    return image;
  };
  const drawn = (image: CanvasImageSource, width: number, height: number) => {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('There is no canvas');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    return { canvas, context };
  };
  const cellsOf = (image: HTMLImageElement) => {
    const [width, height] = [Math.ceil(image.width / CELL), Math.ceil(image.height / CELL)];
    return drawn(image, width, height).context.getImageData(0, 0, width, height);
  };
  const distanceAt = (first: ImageData, second: ImageData, x: number, y: number) => {
    const hasBoth = [first, second].every(({ width, height }) => x < width && y < height);
    if (!hasBoth) return Number.POSITIVE_INFINITY;
    return [0, 1, 2].reduce((sum, channel) => {
      const [a = 0, b = 0] = [first, second].map(({ data, width }) => data[(y * width + x) * 4 + channel]);
      return sum + Math.abs(a - b);
    }, 0);
  };
  const worst = (first: ImageData, second: ImageData) => {
    const tiles = new Map<string, number>();
    const [width, height] = [Math.max(first.width, second.width), Math.max(first.height, second.height)];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (distanceAt(first, second, x, y) <= CLEARLY) continue;
        const tile = `${Math.floor(x / TILE)} ${Math.floor(y / TILE)}`;
        tiles.set(tile, (tiles.get(tile) ?? 0) + 1);
      }
    }
    return Math.max(0, ...tiles.values()) / (TILE * TILE);
  };
  const image = await decoded(shot);
  const { canvas } = drawn(image, Math.ceil(image.width / 2), Math.ceil(image.height / 2));
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: QUALITY });
  const bytes = new Uint8Array(await blob.arrayBuffer()).toBase64();
  if (baseline === null) return { kept: bytes, difference: null };
  // Both have gone through the same codec.
  const [now, before] = await Promise.all([decoded(`data:image/webp;base64,${bytes}`), decoded(baseline)]);
  return { kept: bytes, difference: worst(cellsOf(now), cellsOf(before)) };
}
