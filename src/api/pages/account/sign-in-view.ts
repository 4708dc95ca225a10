import { commandLine } from '../../../platform/command-line.ts';
import { paths } from '../shell/frame.ts';
import { html, type Html, NOTHING } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import type { Notice } from './texts.ts';
import type { AccountVisit } from './visit.ts';

type Shown = Pick<AccountVisit, 'frame' | 'texts' | 'locale'>;

/** How one gets in, for whoever is not signed in. */
export function signInView(
  { frame, texts, locale }: Shown,
  notice: Notice | null,
  provider: { readonly name: string; readonly csrf: string } | null,
): Html {
  const { signIn } = texts;
  const content = html`<main id="content" class="page narrow">
    ${notice === null ? NOTHING : html`<p class="notice" role="status">${texts.done[notice]}</p> `}
    <h1>${signIn.title}</h1>
    <p class="lead">${signIn.lead}</p>
    ${
      provider === null
        ? NOTHING
        : html`<section class="card">
            <h2>${signIn.provider}</h2>
            <p>${frame.say(signIn.providerText, { provider: provider.name })}</p>
            <form method="post" action="${frame.root}${paths.account(locale)}/identity">
              <input type="hidden" name="csrf" value="${provider.csrf}" />
              <button class="button">${frame.say(signIn.providerButton, { provider: provider.name })}</button>
            </form>
          </section> `
    }
    <section class="card">
      <h2>${signIn.linkTitle}</h2>
      <p>${signIn.link}</p>
      <pre
        class="code"
        tabindex="0"
      ><code translate="no">${commandLine('accounts invite --account NAME')}</code></pre>
    </section>
    <p class="quiet">${signIn.noAccount}</p>
  </main> `;
  return layout(
    {
      title: signIn.title,
      description: texts.description,
      place: paths.account,
      current: 'account',
      styles: ['catalog.css', 'account.css'],
      head: html`<meta name="robots" content="noindex" />`,
      content,
    },
    { ...frame, locale },
  );
}

/** What a one-time link opens. It says nothing of the link, which is looked at when the form is sent. */
export function linkView(
  { frame, texts, locale }: Shown,
  {
    link,
    csrf,
    provider,
  }: { readonly link: string; readonly csrf: string; readonly provider: string | null },
): Html {
  const { open } = texts;
  const content = html`<main id="content" class="page narrow">
    <h1>${open.title}</h1>
    <p class="lead">${open.lead}</p>
    <form method="post" action="${frame.root}${paths.account(locale)}/sign-in" class="actions">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="link" value="${link}" />
      <button class="button">${open.button}</button>
    </form>
    ${
      provider === null
        ? NOTHING
        : html`<form method="post" action="${frame.root}${paths.account(locale)}/identity" class="card apart">
            <p>${frame.say(open.joinText, { provider })}</p>
            <input type="hidden" name="csrf" value="${csrf}" />
            <input type="hidden" name="link" value="${link}" />
            <button class="button quiet">${frame.say(open.join, { provider })}</button>
          </form> `
    }
  </main> `;
  return layout(
    {
      title: open.title,
      description: texts.description,
      place: null,
      // The link goes with the reader into the other language.
      elsewhere: (other) => `${paths.account(other)}/sign-in?link=${encodeURIComponent(link)}`,
      current: 'account',
      styles: ['catalog.css', 'account.css'],
      content,
    },
    frame,
  );
}

/** Leads on to the provider, by itself or by a link. */
export function onwardView({ frame, texts }: Shown, provider: string, url: string): Html {
  const title = frame.say(texts.signIn.providerButton, { provider });
  return layout(
    {
      title,
      description: texts.description,
      place: null,
      elsewhere: paths.account,
      current: 'account',
      styles: ['catalog.css', 'account.css'],
      head: html`<meta http-equiv="refresh" content="0; url=${url}" />`,
      content: html`<main id="content" class="page narrow">
        <h1>${title}</h1>
        <p class="actions"><a class="button" href="${url}" data-provider>${title}</a></p>
      </main> `,
    },
    frame,
  );
}
