import type { ShownKey } from '../../../access/keys/account-document.ts';
import { DAYS_KEPT } from '../../../access/quota/ended-days.ts';
import type { Usage } from '../../../access/quota/usage.ts';
import { DAY_MS } from '../../../platform/time/instant.ts';
import { codeBlock, fact, meter, termHtml } from '../parts/facts.ts';
import { html, type Html } from '../shell/html.ts';
import { postForm } from '../shell/posted-form.ts';
import type { Dashboard } from './dashboard-view.ts';
import { accountAddress, type PartContext } from './account-layout.ts';

/** When a key was used last, as far as that is kept. */
export function lastUseOf({ id, created_at }: ShownKey, { lastUsed, now }: Usage, said: PartContext): string {
  const { texts, format } = said;
  const used = lastUsed.get(id);
  if (used !== undefined) return format.moment(used);
  const isOld = Date.parse(now) - Date.parse(created_at) >= DAYS_KEPT * DAY_MS;
  return isOld ? texts.keys.never : texts.keys.notYet;
}

/** A key that works, what it uses, and what may be done to it. */
export function keyCard(key: ShownKey, shown: Dashboard, said: PartContext): Html {
  const { texts, format, say } = said;
  const { keys } = texts;
  const { id, label, created_at, expires_at } = key;
  const { form, session } = shown;
  const action = (what: string, title: string, fields: Html, sent: Readonly<Record<string, string>> = {}) =>
    html`<details>
      <summary>${title}</summary>
      ${postForm(accountAddress(said, `/keys/${what}`), { csrf: session.csrf, id, ...sent }, fields)}
    </details> `;
  // What is being replaced is not replaced again.
  const rotation =
    expires_at === null && action('rotate', texts.rotate.title, rotateFields(key, said), { form });
  return html`<article class="card key" aria-labelledby="${id}">
    <div class="heading">
      <h3 id="${id}">${label ?? keys.unnamed}</h3>
      ${
        expires_at === null
          ? html`<span class="state up">${keys.works}</span>`
          : html`<span class="state degraded">${say(keys.ending, { at: format.moment(expires_at) })}</span>`
      }
    </div>
    <dl class="facts across">
      ${fact(keys.id, termHtml(id))}${fact(keys.created, format.moment(created_at))}
      ${fact(keys.lastUsed, lastUseOf(key, shown.usage, said))}${fact(keys.today, todayOf(key, shown, said))}
    </dl>
    <div class="key-actions">
      ${action('name', texts.rename.title, nameFields(key, said))}${rotation}${action('revoke', texts.revoke.title, revokeFields(said))}
    </div>
  </article> `;
}

function todayOf(
  { id, place }: ShownKey,
  { usage, dailyLimit }: Dashboard,
  { texts, format, say }: PartContext,
): Html {
  const { own, all, held } = usedToday(usage, id, place);
  const share = dailyLimit === 0 ? 0 : Math.min(100, (100 * all) / dailyLimit);
  return html`${say(texts.keys.used, { count: own, limit: dailyLimit })}
  ${held > 0 && html`<span class="quiet" title="${texts.keys.heldMeans}">± ${format.number(held)}</span>`}
  ${meter(share)}
  ${all !== own && html`<span class="quiet small">${say(texts.keys.shared, { count: all, limit: dailyLimit })}</span>`}`;
}

/** The requests of a key today, of all keys in its place, and how many of those may only be held. */
function usedToday({ days, today }: Usage, id: string, place: number) {
  const found = days.find((one) => one.day === today && one.place === place);
  return { own: found?.byKey.get(id) ?? 0, all: found?.requests ?? 0, held: found?.held ?? 0 };
}

function nameFields({ id, label }: ShownKey, { texts: { rename } }: PartContext): Html {
  return html`<label for="label-${id}">${rename.label}</label>
    <input id="label-${id}" name="label" value="${label ?? ''}" maxlength="100" autocomplete="off" />
    <button class="button quiet">${rename.button}</button>`;
}

function rotateFields({ id }: ShownKey, { texts: { rotate } }: PartContext): Html {
  const option = (name: keyof typeof rotate.overlaps) =>
    html`<option value="${name}" ${name === 'day' && html`selected`}>${rotate.overlaps[name]}</option> `;
  return html`<p>${rotate.text}</p>
    <label for="overlap-${id}">${rotate.overlap}</label>
    <select id="overlap-${id}" name="overlap">
      ${OVERLAPS.map(({ name }) => option(name))}
    </select>
    <button class="button quiet">${rotate.button}</button>`;
}

function revokeFields({ texts: { revoke } }: PartContext): Html {
  return html`<p>${revoke.text}</p>
    <button class="button danger">${revoke.button}</button>`;
}

/** For how long a key that is replaced may go on working, as the page offers it. */
export const OVERLAPS = [
  { name: 'now', ms: 0 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'day', ms: DAY_MS },
  { name: 'week', ms: 7 * DAY_MS },
] as const;

/** A key that was made just now. This is the one time that it is shown. */
export interface CreatedKey {
  readonly key: string;
  /** The key that it replaces, and when that one ends; null where it has ended, or there is none. */
  readonly replaces: { readonly id: string; readonly endsAt: string | null } | null;
}

export function madeView({ key, replaces }: CreatedKey, context: PartContext): Html {
  const { texts, locale, say, format, publicUrl } = context;
  const { made } = texts;
  const request = `curl -H 'x-api-key: ${key}' \\\n  '${publicUrl}/api/v1/top?kind=bot&limit=3&locale=${locale}'`;
  return html`<section class="card made" aria-labelledby="made">
    <h2 id="made">${made.title}</h2>
    <p>${made.once}</p>
    <p class="copied" data-copy="${made.copy}" data-copied="${made.copied}">
      <code class="code" translate="no" data-key tabindex="0">${key}</code>
    </p>
    ${replaces !== null && html`<p>${replaced(replaces)}</p> `}
    <h3>${made.first}</h3>
    ${codeBlock(request)}
    <p class="actions">
      <a class="button quiet" href="${accountAddress(context)}">${made.done}</a>
    </p>
  </section> `;

  function replaced({ id, endsAt }: { readonly id: string; readonly endsAt: string | null }): string {
    return endsAt === null
      ? say(made.oldEnded, { id })
      : say(made.oldWorks, { id, at: format.moment(endsAt) });
  }
}
