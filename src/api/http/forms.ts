import { after, type Soon } from '../../platform/soon.ts';
import type { Route } from '../route.ts';
import type { Encoding } from './encoded-forms.ts';
import { bodyHeaders, type HeadTemplate, headTemplate, headText, type HeadText } from './headers.ts';
import type { Rendering } from './rendering.ts';

/**
 * A body in one of the ways in which it is sent, with all header fields that stay the same. Made when it is first sent, and
 * kept with the body.
 */
export interface Form {
  readonly route: Route | null;
  readonly status: 200 | 304;
  readonly encoding: Encoding | null;
  readonly head: HeadTemplate;
  /**
   * As a text of one character for each byte where it is small: Node then sends it together with the head, in one piece. null
   * for a 304.
   */
  readonly body: string | Buffer | null;
  /** The head as text; made when it is first wanted. */
  text: HeadText | null;
}

/** Copying a larger body costs more than sending two pieces. */
const LARGEST_TEXT = 8192;

/** What a form takes beside its body, in bytes: measured, with room to spare. */
const FORM_BYTES = 1200;
const TEXT_BYTES = 1500;

/** The form that a rendering has in this way; made where it has none yet. */
export function formOf(
  rendering: Rendering,
  route: Route | null,
  status: Form['status'],
  encoding: Encoding | null,
): Soon<Form> {
  const known = knownForm(rendering, route, status, encoding);
  if (known) return known;
  if (status === 304)
    return keep(rendering, { route, status, encoding, body: null, head: headOf(null), text: null });
  const packed = encoding === null ? rendering.bytes : rendering.encoded.of(encoding);
  return after(packed, (bytes) => {
    const body = bytes.length <= LARGEST_TEXT ? bytes.toString('latin1') : bytes;
    return keep(rendering, { route, status, encoding, body, head: headOf(bytes.length), text: null });
  });

  function headOf(length: number | null): HeadTemplate {
    const fields = bodyHeaders(rendering, route?.cacheControl ?? 'no-store', encoding, length);
    return headTemplate(route?.policy, fields);
  }
}

/** The same where it was made already. */
export function knownForm(
  rendering: Rendering,
  route: Route | null,
  status: Form['status'],
  encoding: Encoding | null,
): Form | null {
  for (const form of rendering.forms) {
    if (form.status === status && form.encoding === encoding && form.route === route) return form;
  }
  return null;
}

export function textOf(rendering: Rendering, form: Form): HeadText {
  if (form.text) return form.text;
  rendering.encoded.told(TEXT_BYTES);
  return (form.text = headText(form.status, form.head));
}

function keep(rendering: Rendering, form: Form): Form {
  rendering.forms.push(form);
  rendering.encoded.told(FORM_BYTES + (typeof form.body === 'string' ? form.body.length : 0));
  return form;
}
