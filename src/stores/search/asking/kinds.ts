import { rootOf } from './roots.ts';

/** Words that name a kind of entry: they lean to it. */
const KINDS: readonly (readonly [string, readonly string[]])[] = [
  ['channel', ['канал', 'канале', 'каналы', 'channel', 'паблик', 'чат', 'chat', 'группа', 'group', 'чатик']],
  ['bot', ['бот', 'bot', 'ботик', 'робот']],
  ['miniapp', ['миниапп', 'миниприложение', 'miniapp', 'tma']],
];

const BY_ROOT = new Map(KINDS.flatMap(([kind, words]) => words.map((word) => [rootOf(word), kind])));

/** The kind that a word names; null where it names none. */
export function kindNamedBy(word: string): string | null {
  return BY_ROOT.get(rootOf(word)) ?? null;
}
