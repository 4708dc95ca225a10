import { paths } from '../shell/page-context.ts';
import { formats } from '../../../texts/formats.ts';
import { type Html, xml } from '../shell/html.ts';
import { type Part, sectionOf } from './guide-sections.ts';
import type { DocsContext } from './docs-context.ts';

interface Change {
  /** Its anchor in the guide is `change-<name>`, and stays. */
  readonly name: string;
  /** In UTC. */
  readonly date: string;
}

/** What has changed for consumers, the newest first: when it did. What it was stands in the guide. */
export const CHANGELOG: readonly [Change, ...Change[]] = [
  { name: 'reference', date: '2026-11-25' },
  { name: 'accounts', date: '2026-11-24' },
  { name: 'pages', date: '2026-11-23' },
  { name: 'v1', date: '2026-11-21' },
];

/** The changelog as an Atom feed (RFC 4287). */
export function changelogFeed(context: DocsContext): Html {
  const { texts, locale, publicUrl } = context;
  const page = `${publicUrl}/docs/${locale}/changelog`;
  const feed = `${publicUrl}/${paths.changelogFeed(locale)}`;
  const { title, parts } = sectionOf('changelog', context);
  const [newest] = CHANGELOG;
  return xml`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale}">
    <title>${texts.product}: ${title}</title>
    <id>${feed}</id>
    <link rel="self" href="${feed}" />
    <link rel="alternate" type="text/html" href="${page}" />
    <author><name>${texts.product}</name></author>
    <updated>${instant(newest.date)}</updated>
    ${CHANGELOG.map(({ name, date }) => {
      const part = parts.find(({ id }) => id === `change-${name}`);
      return xml`<entry>
          <title>${part?.title.replace(`${formats(locale).day(date)}: `, '') ?? name}</title>
          <id>${page}#change-${name}</id>
          <link rel="alternate" type="text/html" href="${page}#change-${name}" />
          <published>${instant(date)}</published>
          <updated>${instant(date)}</updated>
          <content type="text">${itemsOf(part).join('\n')}</content>
        </entry> `;
    })}
  </feed> `;
}

function itemsOf(part: Part | undefined): readonly string[] {
  const items = part?.body.flatMap((block) => (block.type === 'list' ? block.items : [])) ?? [];
  return items.map(({ text }) => text.replaceAll('\n', ' '));
}

function instant(day: string): string {
  return `${day}T00:00:00Z`;
}
