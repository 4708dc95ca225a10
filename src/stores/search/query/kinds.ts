import { rootOf } from './roots.ts';

/** What a word of kind names. */
export interface NamedKind {
  readonly kind: string;
  /** Which sort of that kind; null where it has no sorts. */
  readonly subtype: string | null;
}

/** Words that name a kind of entry: they lean to it. */
const KINDS: readonly (readonly [NamedKind, readonly string[]])[] = [
  [{ kind: 'channel', subtype: 'broadcast' }, ['канал', 'канале', 'каналы', 'channel', 'паблик']],
  [{ kind: 'channel', subtype: 'group' }, ['чат', 'chat', 'группа', 'group', 'чатик']],
  [{ kind: 'bot', subtype: null }, ['бот', 'bot', 'ботик', 'робот']],
  [{ kind: 'miniapp', subtype: null }, ['миниапп', 'миниприложение', 'miniapp', 'tma']],
];

const BY_ROOT = new Map(KINDS.flatMap(([named, words]) => words.map((word) => [rootOf(word), named])));

/** The kind that a word names; null where it names none. */
export function kindNamedBy(word: string): NamedKind | null {
  return BY_ROOT.get(rootOf(word)) ?? null;
}
