import { paths } from '../shell/frame.ts';
import { html, type Html, NOTHING } from '../shell/html.ts';
import type { PartContext } from './parts.ts';

/** A key that was made just now. This is the one time that it is shown. */
export interface CreatedKey {
  readonly key: string;
  /** The key that it replaces, and when that one ends; null where it has ended, or there is none. */
  readonly replaces: { readonly id: string; readonly endsAt: string | null } | null;
}

export function madeView({ key, replaces }: CreatedKey, { frame, texts, locale }: PartContext): Html {
  const { made } = texts;
  const { say, format, publicUrl } = frame;
  const request = `curl -H 'x-api-key: ${key}' \\\n  '${publicUrl}/api/v1/top?kind=bot&limit=3&locale=${locale}'`;
  return html`<section class="card made" aria-labelledby="made">
    <h2 id="made">${made.title}</h2>
    <p>${made.once}</p>
    <p class="copied" data-copy="${made.copy}" data-copied="${made.copied}">
      <code class="code" translate="no" data-key tabindex="0">${key}</code>
    </p>
    ${replaces === null ? NOTHING : html`<p>${replaced(replaces)}</p> `}
    <h3>${made.first}</h3>
    <pre class="code" tabindex="0"><code translate="no">${request}</code></pre>
    <p class="actions">
      <a class="button quiet" href="${frame.root}${paths.account(locale)}">${made.done}</a>
    </p>
  </section> `;

  function replaced({ id, endsAt }: { readonly id: string; readonly endsAt: string | null }): string {
    return endsAt === null
      ? say(made.oldEnded, { id })
      : say(made.oldWorks, { id, at: format.moment(endsAt) });
  }
}
