import { formats } from '../../shell/formats.ts';
import { paths } from '../../shell/frame.ts';
import { type Block, heading, link, list, paragraph, type Section } from '../blocks.ts';
import type { PageTexts, Writing } from '../writing.ts';

type EntryName = keyof PageTexts['changelog']['entries'];

/** What has changed for consumers, the newest first. The names are anchors, and stay. */
export const CHANGELOG: readonly [Change, ...Change[]] = [
  { name: 'reference', date: '2026-11-25' },
  { name: 'accounts', date: '2026-11-24' },
  { name: 'pages', date: '2026-11-23' },
  { name: 'v1', date: '2026-11-21' },
];

interface Change {
  readonly name: EntryName;
  /** In UTC. */
  readonly date: string;
}

export function changelogAnchor(name: EntryName): string {
  return `change-${name}`;
}

export function changelog({ texts, prose, locale, root }: Writing): Section {
  const said = texts.changelog;
  const entry = ({ name, date }: Change): readonly Block[] => [
    heading(changelogAnchor(name), `${formats(locale).day(date)}: ${said.entries[name].title}`),
    list(said.entries[name].items.map((text) => prose(text))),
  ];
  return {
    id: 'changelog',
    title: said.title,
    body: [
      paragraph([...prose(said.intro), ' ', link([said.feed], `${root}${paths.changelogFeed(locale)}`), '.']),
      ...CHANGELOG.flatMap(entry),
    ],
  };
}
