import type { Status } from '../../../monitor/body.ts';
import { type Frame, paths } from '../shell/frame.ts';
import { html, type Html } from '../shell/html.ts';

/** What is read away from the page says by itself that it is about the sample. */
export function sampleMarked(text: string, { isSample, shell }: Frame): string {
  return isSample ? `${text} (${shell.sample.mark})` : text;
}

/** The state in a few words, leading to the status page: a label, not a sentence. */
export function statePill({ state, text }: Status, { locale, root }: Frame): Html {
  return html`<a class="pill ${state}" href="${root}${paths.status(locale)}"
    >${text[locale].replace(/\.$/, '')}</a
  >`;
}
