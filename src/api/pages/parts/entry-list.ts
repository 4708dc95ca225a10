import type { Kind } from '../../../../projections/listings/document.ts';
import { nameOf } from '../../../texts/texts.ts';
import type { PublishedListing } from '../../reading/listing-queries.ts';
import type { Taxonomy } from '../../reading/build-taxonomy.ts';
import { presentItem } from '../../routes/present-entry.ts';
import { type PageContext, paths } from '../shell/page-context.ts';
import { html, type Html } from '../shell/html.ts';
import { sha256 } from '../../../platform/canonical.ts';

/** Entries in lists: what the API's lists show, for people. Texts run as their own letters do, and turn nothing around them. */

export type Item = ReturnType<typeof presentItem>;

export function itemsOf(
  entries: readonly PublishedListing[],
  { locale }: PageContext,
  taxonomy: Taxonomy,
): readonly Item[] {
  return entries.map((entry) => presentItem(entry, locale, taxonomy));
}

/** `from` is the rank of the first; null for a list that is not ranked. */
export function entryList(items: readonly Item[], context: PageContext, from: number | null): Html {
  return html`<ol class="entries" ${from !== null && html`start="${from}"`}>
    ${items.map((item, index) => entryRow(item, context, from === null ? null : from + index))}
  </ol> `;
}

function entryRow(item: Item, context: PageContext, rank: number | null): Html {
  const { slug, title, username, summary } = item;
  return html`<li class="entry">
    ${rank !== null && html`<span class="rank" aria-hidden="true">${rank}</span> `}${avatar(slug, title)}
    <div class="entry-text">
      <p class="entry-title">
        <a href="${context.root}${paths.entry(slug)(context.locale)}" dir="auto">${title}</a
        >${marks(item, context)}
      </p>
      ${summary !== null && html`<p class="entry-summary" dir="auto">${summary}</p> `}
      <p class="entry-facts">
        <span>${kindOf(item, context)}</span>
        <span>@${username}</span>
        ${audience(item, context)}${item.score.preliminary && html` <span>${context.shell.preliminaryScore}</span>`}
      </p>
    </div>
    ${scoreBadge({ ...item.score, preliminary: false }, context)}
  </li> `;
}

/** In a narrow column: who leads, and by how much. */
export function briefList(items: readonly Item[], context: PageContext): Html {
  return html`<ol class="brief">
    ${items.map(
      (item, index) =>
        html`<li>
          <span class="rank" aria-hidden="true">${index + 1}</span>${avatar(item.slug, item.title)}
          <span class="brief-text"
            ><a href="${context.root}${paths.entry(item.slug)(context.locale)}" dir="auto">${item.title}</a
            ><small>${item.category?.title ?? `@${item.username}`}</small></span
          >${scoreBadge(item.score, context)}
        </li> `,
    )}
  </ol> `;
}

/** Flags that warn of an entry; others tell of it. */
const WARNINGS: ReadonlySet<string> = new Set(['scam', 'fake', 'restricted']);
/** What the notice on every page of the sample says of all entries. */
const OF_THE_SAMPLE: ReadonlySet<string> = new Set(['generated_text', 'generated_metrics']);

export function marks(
  { verified, flags }: Pick<Item, 'verified' | 'flags'>,
  { shell, isSample }: PageContext,
): Html {
  const told = isSample ? flags.filter((flag) => !OF_THE_SAMPLE.has(flag)) : flags;
  return html`${
    verified &&
    html` <span class="verified" title="${shell.verified}"
      ><svg viewBox="0 0 16 16" role="img" aria-label="${shell.verified}">
        <path d="M3.5 8.5l3 3 6-7" /></svg
    ></span>`
  }${told.map((flag) => html` <span class="flag ${WARNINGS.has(flag) ? 'bad' : ''}">${nameOf(flag, shell.flags)}</span>`)}`;
}

interface OfKind {
  readonly kind: Kind;
  readonly subtype: string | null;
}

export function kindOf(entry: OfKind, { shell }: PageContext): string {
  return isChat(entry) ? shell.chat : shell.kind[entry.kind];
}

export function isChat({ kind, subtype }: OfKind): boolean {
  return kind === 'channel' && subtype !== null && subtype !== 'broadcast';
}

function audience({ audience: reached }: Item, { shell, say }: PageContext): Html | null {
  if (reached === null) return null;
  const forms = reached.unit === 'subscribers' ? shell.subscribers : shell.monthlyUsers;
  return html`<span>${say(forms, { count: reached.value })}</span>`;
}

function scoreBadge(
  { value, preliminary }: { readonly value: number; readonly preliminary: boolean },
  { shell, format, say }: PageContext,
): Html {
  const shown = format.number(value, 1);
  return html`<span class="score" title="${say(shell.scoreOf, { score: shown })}"
    ><span class="hidden">${shell.score}: </span><b>${shown}</b>${
      preliminary && html`<small>${shell.preliminary}</small>`
    }</span
  >`;
}

/** The generated picture of an entry: its initials on a colour that follows from its slug. Pictures of others are never loaded. */
export function avatar(slug: string, title: string): Html {
  const hue = Number.parseInt(sha256(slug).slice(0, 4), 16) || slug.length * 47;
  return html`<svg class="avatar" viewBox="0 0 40 40" aria-hidden="true" focusable="false">
    <rect width="40" height="40" rx="11" fill="hsl(${hue % 360} 42% 36%)" />
    <text x="20" y="25.5" text-anchor="middle" fill="#fff">${initials(title)}</text>
  </svg>`;
}

const SIGNS = new Intl.Segmenter();

/** Of the first two words that begin with a letter or a digit; of a title without any, its first sign. */
function initials(title: string): string {
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first, second = ''] = words;
  if (first === undefined) return SIGNS.segment(title)[Symbol.iterator]().next().value?.segment ?? '?';
  const [one = '?', two = ''] = Array.from(first);
  return (one + (Array.from(second)[0] ?? two)).toUpperCase();
}
