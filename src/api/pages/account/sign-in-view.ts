import { commandLine } from '../../../platform/text/command-hint.ts';
import { paths } from '../shell/page-context.ts';
import { codeBlock } from '../parts/facts.ts';
import { html, type Html } from '../shell/html.ts';
import { postForm } from '../shell/posted-form.ts';
import { accountAddress, accountPage, type PartContext } from './account-layout.ts';
import type { Notice } from './account-context.ts';

/** How one gets in, for whoever is not signed in. */
export function signInView(
  said: PartContext,
  notice: Notice | null,
  provider: { readonly name: string; readonly csrf: string } | null,
): Html {
  const { texts, say } = said;
  const { signIn } = texts;
  const content = html`<main id="content" class="page narrow">
    ${notice !== null && html`<p class="notice" role="status">${texts.done[notice]}</p> `}
    <h1>${signIn.title}</h1>
    <p class="lead">${signIn.lead}</p>
    ${provider !== null && byProvider(provider)}
    <section class="card">
      <h2>${signIn.linkTitle}</h2>
      <p>${signIn.link}</p>
      ${codeBlock(commandLine('accounts invite --account NAME'))}
    </section>
    <p class="quiet">${signIn.noAccount}</p>
  </main> `;
  return accountPage(said, { title: signIn.title, content });

  function byProvider({ name, csrf }: { readonly name: string; readonly csrf: string }): Html {
    const button = html`<button class="button">${say(signIn.providerButton, { provider: name })}</button>`;
    return html`<section class="card">
      <h2>${signIn.provider}</h2>
      <p>${say(signIn.providerText, { provider: name })}</p>
      ${postForm(accountAddress(said, '/identity'), { csrf }, button)}
    </section> `;
  }
}

/** What a one-time link opens. It says nothing of the link, which is looked at when the form is sent. */
export function linkView(
  said: PartContext,
  { provider, ...sent }: { readonly link: string; readonly csrf: string; readonly provider: string | null },
): Html {
  const { say, texts } = said;
  const { open } = texts;
  const content = html`<main id="content" class="page narrow">
    <h1>${open.title}</h1>
    <p class="lead">${open.lead}</p>
    ${postForm(accountAddress(said, '/sign-in'), sent, html`<button class="button">${open.button}</button>`, 'actions')}
    ${provider !== null && postForm(accountAddress(said, '/identity'), sent, joining(provider), 'card apart')}
  </main> `;
  return accountPage(said, {
    title: open.title,
    // The link goes with the reader into the other language.
    elsewhere: (other) => `${paths.account(other)}/sign-in?link=${encodeURIComponent(sent.link)}`,
    content,
  });

  function joining(at: string): Html {
    return html`<p>${say(open.joinText, { provider: at })}</p>
      <button class="button quiet">${say(open.join, { provider: at })}</button>`;
  }
}

/** Leads on to the provider, by itself or by a link. */
export function onwardView(said: PartContext, provider: string, url: string): Html {
  const title = said.say(said.texts.signIn.providerButton, { provider });
  return accountPage(said, {
    title,
    head: html`<meta http-equiv="refresh" content="0; url=${url}" />`,
    content: html`<main id="content" class="page narrow">
      <h1>${title}</h1>
      <p class="actions"><a class="button" href="${url}" data-provider>${title}</a></p>
    </main> `,
  });
}
