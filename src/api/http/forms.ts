import { after, type Soon } from '../../platform/soon.ts';
import type { Route } from '../route.ts';
import type { Encoding } from './encoded-forms.ts';
import { bodyHeaders, type HeadTemplate, headTemplate, headText, type HeadText } from './headers.ts';
import type { Rendering } from './rendering.ts';

/** A body in one of the ways in which it is sent, with all header fields that stay the same. */
export interface Form {
  readonly route: Route | null;
  readonly status: 200 | 304;
  readonly encoding: Encoding | null;
  /** Of the body, in bytes; null for a 304. */
  readonly length: number | null;
  /** As a text where it is small: Node then sends it together with the head, in one piece. null for a 304. */
  readonly body: string | Buffer | null;
  /** What makes bytes of the text: latin1 where it has one character for each of them. */
  readonly charset: 'latin1' | 'utf8';
  /** Whether it is kept with its rendering. */
  readonly isKept: boolean;
  /** The head; in the shape in which it is wanted, made when it is first wanted so. */
  head: HeadTemplate | null;
  headText: HeadText | null;
}

/** Copying a larger body costs more than sending two pieces. */
const LARGEST_TEXT = 8192;

/** What a form takes beside its body, in bytes: measured, with room to spare. */
const FORM_BYTES = 1200;
const TEXT_BYTES = 1500;

/** The form that a rendering has in this way; made where it has none yet, and kept with it. */
export function formOf(
  rendering: Rendering,
  route: Route | null,
  status: Form['status'],
  encoding: Encoding | null,
): Soon<Form> {
  if (encoding === null) return plainForm(rendering, route, status);
  const form = keptForm(rendering, route, status, encoding);
  if (form) return form;
  return after(rendering.encoded.of(encoding), (bytes) =>
    keep(rendering, { route, status, encoding }, bytes),
  );
}

/** The same where nothing has to be compressed for it; else null. */
export function formAtOnce(
  rendering: Rendering,
  route: Route | null,
  status: Form['status'],
  encoding: Encoding | null,
): Form | null {
  return encoding === null
    ? plainForm(rendering, route, status)
    : keptForm(rendering, route, status, encoding);
}

/**
 * The same of a body that may never be sent again: the first time, nothing is kept of it, and its text is sent as it was made.
 */
export function passingForm(rendering: Rendering, route: Route, encoding: Encoding | null): Soon<Form> {
  const { wasSent, text, size } = rendering;
  rendering.wasSent = true;
  if (wasSent || text === null || encoding !== null || size > LARGEST_TEXT) {
    return formOf(rendering, route, 200, encoding);
  }
  const shape = { route, status: 200, encoding, length: size } as const;
  return { ...shape, body: text, charset: 'utf8', isKept: false, head: null, headText: null };
}

export function headOf(rendering: Rendering, form: Form): HeadTemplate {
  form.head ??= headTemplate(form.route?.policy, fieldsOf(rendering, form));
  return form.head;
}

export function headTextOf(rendering: Rendering, form: Form): HeadText {
  if (form.headText) return form.headText;
  if (form.isKept) rendering.grew(TEXT_BYTES);
  return (form.headText = headText(form.status, form.route?.policy, fieldsOf(rendering, form)));
}

function fieldsOf(rendering: Rendering, { route, encoding, length }: Form): readonly string[] {
  return bodyHeaders(rendering, route?.cacheControl ?? 'no-store', encoding, length);
}

function plainForm(rendering: Rendering, route: Route | null, status: Form['status']): Form {
  const known = keptForm(rendering, route, status, null);
  if (known) return known;
  return keep(rendering, { route, status, encoding: null }, status === 304 ? null : rendering.bytes);
}

function keptForm(
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

function keep(
  rendering: Rendering,
  shape: Pick<Form, 'route' | 'status' | 'encoding'>,
  bytes: Buffer | null,
): Form {
  const isSmall = bytes !== null && bytes.length <= LARGEST_TEXT;
  const body = isSmall ? bytes.toString('latin1') : bytes;
  const length = bytes?.length ?? null;
  const form: Form = { ...shape, length, body, charset: 'latin1', isKept: true, head: null, headText: null };
  rendering.forms.push(form);
  rendering.grew(FORM_BYTES + (typeof body === 'string' ? body.length : 0));
  return form;
}
