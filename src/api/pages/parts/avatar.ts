import { sha256 } from '../../../platform/canonical.ts';
import { html, type Html } from '../shell/html.ts';

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
