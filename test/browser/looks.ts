/** Functions that run in a page: they see its document, and nothing of this file's. */

/** Texts whose contrast with what is behind them is below 4.5 (WCAG 2.2, 1.4.3), with where they stand. */
export function faintTexts(): readonly string[] {
  const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const linear = (channel: number) =>
    channel <= 0.04045 * 255 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = channels(colour).map(linear);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (element: Element): string => {
    for (let one: Element | null = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if ((channels(colour)[3] ?? 1) > 0.99) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  return [...document.querySelectorAll('body *')].filter(hasText).flatMap((element) => {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
    const [text, ground] = [luminance(getComputedStyle(element).color), luminance(groundOf(element))];
    const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    if (contrast >= 4.5) return [];
    return [
      `${contrast.toFixed(2)} ${element.tagName}.${element.className} ${element.textContent?.trim().slice(0, 30)}`,
    ];
  });
}

/** How far the page can be scrolled sideways, in pixels. */
export function sidewaysScroll(): number {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

/** Tables of a name and its meaning, by their labels, that show a part of themselves alone. */
export function cutTables(): readonly string[] {
  return [...document.querySelectorAll('.table')]
    .filter((table) => table.querySelectorAll('thead th').length === 2)
    .filter((table) => table.scrollWidth > table.clientWidth)
    .map((table) => String(table.getAttribute('aria-label')));
}
