import type { Indicator } from './overall.ts';
import SENTENCES from './sentences.json' with { type: 'json' };

interface Said {
  readonly indicator: Indicator | null;
  readonly flapping: boolean;
  readonly stale: boolean;
  /** Whether the stores have been read since the start: before that nothing can be said of checks. */
  readonly isRead: boolean;
  /** Whether anything has ever been checked. */
  readonly isChecked: boolean;
}

/** The state of the whole platform in a sentence or two, for people, in both languages. */
export function textOf({ indicator, flapping, stale, isRead, isChecked }: Said): { ru: string; en: string } {
  if (!isRead) return SENTENCES.notRead;
  const sentences = [
    SENTENCES[indicator ?? (isChecked ? 'notChecked' : 'neverChecked')],
    ...(flapping ? [SENTENCES.flapping] : []),
    ...(stale ? [SENTENCES.stale] : []),
  ];
  return { ru: sentences.map(({ ru }) => ru).join(' '), en: sentences.map(({ en }) => en).join(' ') };
}
