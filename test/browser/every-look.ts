import { type Locale, LOCALES } from '../../src/texts/texts.ts';

/** In how many ways each page is looked at: both languages, both schemes, a phone, a tablet and a desk. */
export interface Look {
  readonly locale: Locale;
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

export const EVERY_LOOK: readonly Look[] = LOCALES.flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [360, 768, 1440].map((width) => ({ locale, colorScheme, width })),
  ),
);

/** Of the window, in pixels. */
export const HEIGHT = 900;

/** What axe-core and our fonts are put in by is no script and no style of the page. */
export function contextOf({ colorScheme, width }: Look) {
  return { colorScheme, viewport: { width, height: HEIGHT }, bypassCSP: true } as const;
}
