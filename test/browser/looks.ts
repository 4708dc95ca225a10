/** Functions that run in a page: they see its document, and nothing of this file's. */

/**
 * What has too little contrast with what is around it, with where it stands: texts below 4.5 (WCAG 2.2, 1.4.3), and edges of
 * fields below 3 (1.4.11).
 */
export function faintThings(): readonly string[] {
  const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const linear = (channel: number) =>
    channel <= 0.04045 * 255 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = channels(colour).map(linear);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (element: Element | null): string => {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if ((channels(colour)[3] ?? 1) > 0.99) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const contrastOf = (colours: readonly [string, string]) => {
    const [first, second] = [luminance(colours[0]), luminance(colours[1])];
    return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
  };
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  const named = (element: Element, contrast: number) =>
    `${contrast.toFixed(2)} ${element.tagName}.${element.className}#${element.id} ${element.textContent?.trim().slice(0, 30)}`;
  const texts = [...document.querySelectorAll('body *')].filter(hasText).flatMap((element) => {
    if (!isSeen(element)) return [];
    const contrast = contrastOf([getComputedStyle(element).color, groundOf(element)]);
    return contrast >= 4.5 ? [] : [named(element, contrast)];
  });
  const fields = 'input:not([type="hidden"], [type="radio"]), select, textarea';
  const edges = [...document.querySelectorAll(fields)].flatMap((field) => {
    // What has the keyboard shows it by an outline.
    if (!isSeen(field) || field.matches(':focus-visible')) return [];
    // The edge of a search field goes around its button, too.
    const box = field.closest('.field') ?? field;
    const { borderTopWidth, borderTopColor } = getComputedStyle(box);
    const contrast = borderTopWidth === '0px' ? 1 : contrastOf([borderTopColor, groundOf(box.parentElement)]);
    return contrast >= 3 ? [] : [named(field, contrast)];
  });
  return [...texts, ...edges];
}

/** How far the page can be scrolled sideways, in pixels. */
export function sidewaysScroll(): number {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

/** Tables that stand open, by their labels, and show a part of themselves alone. */
export function cutTables(): readonly string[] {
  return [...document.querySelectorAll('.table')]
    .filter((table) => table.closest('details') === null)
    .filter((table) => table.scrollWidth > table.clientWidth)
    .map((table) => String(table.getAttribute('aria-label')));
}

/** Texts of which a part is beyond what is around them, or beyond the window, where no scrolling brings it back. */
export function cutTexts(): readonly string[] {
  const cut = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent?.trim() || !element?.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()];
    const [left, right] = [
      Math.min(...boxes.map((box) => box.left)),
      Math.max(...boxes.map((box) => box.right)),
    ];
    let room = { left: 0, right: document.documentElement.clientWidth };
    for (let around: Element | null = element; around; around = around.parentElement) {
      const { overflowX, clipPath } = getComputedStyle(around);
      // What can be scrolled to, and what is said to screen readers alone.
      if (overflowX === 'visible' && clipPath === 'none') continue;
      const isNotCut = overflowX === 'auto' || overflowX === 'scroll' || clipPath !== 'none';
      room = isNotCut ? { left: -Infinity, right: Infinity } : around.getBoundingClientRect();
      break;
    }
    if (left >= room.left - 1 && right <= room.right + 1) continue;
    cut.add(`${element.tagName}.${element.className} ${node.textContent.trim().slice(0, 30)}`);
  }
  return [...cut];
}
