import { type Block, table } from '../blocks.ts';
import type { PageTexts, Writing } from '../writing.ts';

export function counting({ texts, prose }: Writing): Block {
  const { limits: said } = texts;
  return table({
    label: said.counting,
    head: [said.request, said.cost],
    rows: COUNTED.map((name) => [prose(texts.counting[name]), [String(COUNTING[name])]]),
    numeric: [1],
  });
}

/** What each kind of response costs of a key's quota, in the order of the page; a test asks for each of them. */
export const COUNTING = {
  answered: 1,
  head: 1,
  refused: 1,
  missing: 1,
  anyTag: 1,
  unchanged: 0,
  usedUp: 0,
  unauthorized: 0,
  unreadable: 0,
  unknown: 0,
  method: 0,
  fault: 0,
  preflight: 0,
  open: 0,
} as const satisfies Record<keyof PageTexts['counting'], 0 | 1>;

export type Counted = keyof typeof COUNTING;
export const COUNTED = Object.keys(COUNTING) as Counted[];
