import { paths } from '../shell/frame.ts';
import { type Html, xml } from '../shell/html.ts';
import { CHANGELOG, changelogAnchor } from './sections/changelog.ts';
import type { Writing } from './writing.ts';

/** The changelog as an Atom feed (RFC 4287). */
export function changelogFeed({ texts, locale, publicUrl }: Writing): Html {
  const page = `${publicUrl}/docs/${locale}/changelog`;
  const feed = `${publicUrl}/${paths.changelogFeed(locale)}`;
  const said = texts.changelog;
  const [newest] = CHANGELOG;
  return xml`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale}">
    <title>${texts.product}: ${said.title}</title>
    <id>${feed}</id>
    <link rel="self" href="${feed}" />
    <link rel="alternate" type="text/html" href="${page}" />
    <author><name>${texts.product}</name></author>
    <updated>${instant(newest.date)}</updated>
    ${CHANGELOG.map(
      ({ name, date }) =>
        xml`<entry>
          <title>${said.entries[name].title}</title>
          <id>${page}#${changelogAnchor(name)}</id>
          <link rel="alternate" type="text/html" href="${page}#${changelogAnchor(name)}" />
          <published>${instant(date)}</published>
          <updated>${instant(date)}</updated>
          <content type="text">${said.entries[name].items.join('\n')}</content>
        </entry> `,
    )}
  </feed> `;
}

function instant(day: string): string {
  return `${day}T00:00:00Z`;
}
