import type { Locale } from '../../../../texts/texts.ts';
import { html, type Html } from '../../shell/html.ts';
import { paths } from '../../shell/page-context.ts';
import { termHtml } from '../../parts/facts.ts';
import type { DocsContext } from '../docs-context.ts';
import type { Schemas } from '../../../openapi/schemas.ts';
import type { Operation, Parameter } from './api-description.ts';
import { fact, nameHtml } from './fields.ts';
import { shapeOf } from './schema-shape.ts';

/**
 * What to send: every parameter with its meaning, and a field to fill in. The fields and the button are for the script,
 * which shows them.
 */
export function parameterForm(operation: Operation, schemas: Schemas, context: DocsContext): Html {
  const { send, headers, noParameters } = context.texts.referencePage;
  const rows = (list: readonly Parameter[]) =>
    html`<ul class="fields">
      ${list.map((one) => row(one, operation, schemas, context))}
    </ul> `;
  const inHeaders = operation.parameters.filter((one) => one.in === 'header');
  const others = operation.parameters.filter((one) => one.in !== 'header');
  return html`<form class="request" data-path="${operation.path}" autocomplete="off" novalidate>
    ${others.length === 0 ? html`<p class="meaning">${noParameters}</p>` : rows(others)}
    <details>
      <summary>${headers}</summary>
      ${rows(inHeaders)}
    </details>
    <p class="send" data-scripted hidden><button class="button" type="submit">${send}</button></p>
  </form> `;
}

function row(
  parameter: Parameter,
  { operationId: id }: Operation,
  schemas: Schemas,
  context: DocsContext,
): Html {
  const { name, required, description, schema } = parameter;
  const said = context.texts.referencePage;
  const shape = shapeOf(schema, schemas);
  const control = `${id}-${name}`;
  const isRequired = required && html`<span class="required">${said.required}</span>`;
  const usual =
    schema.default !== undefined && html`<span>${said.usually} ${termHtml(String(schema.default))}</span>`;
  return html`<li>
    ${fact(html`<label for="${control}">${nameHtml(name)}</label>`, { ...shape, description }, html`${isRequired}${usual}`)}
    <div class="control" data-scripted hidden>${field(control, parameter, shape.values, context)}</div>
  </li> `;
}

function field(
  id: string,
  parameter: Parameter,
  values: readonly string[],
  { locale, root }: DocsContext,
): Html {
  const { name, in: place, required, schema } = parameter;
  // Not `name`: a form would have a member of that name, in the place of its own.
  const named = html`id="${id}" data-name="${name}" data-in="${place}" ${required && html`required`}`;
  const value = initial(parameter, locale);
  const choices = schema.type === 'boolean' ? ['true', 'false'] : values;
  if (choices.length > 0) {
    return html`<select ${named}>
      ${!required && html`<option value=""></option>`}${choices.map(
        (one) => html`<option ${one === value && html`selected`}>${one}</option>`,
      )}
    </select>`;
  }
  const keys = schema.type === 'integer' && html`inputmode="numeric"`;
  const usual = schema.default !== undefined && html`placeholder="${String(schema.default)}"`;
  // Which there are, the page of categories says: the script reads it when it is needed.
  const isCategory = name === 'category';
  const list = isCategory && html`list="${id}-list" data-choices="${root}${paths.categories(locale)}"`;
  return html`<input
      ${named}
      ${list}
      type="text"
      value="${value}"
      ${keys}
      ${usual}
      spellcheck="false"
      autocapitalize="off"
    />${isCategory && html`<datalist id="${id}-list"></datalist>`}`;
}

/** What the samples ask for: what must be given, in the language of the page. */
export function initial({ name, required, example }: Parameter, locale: Locale): string {
  if (name === 'locale') return locale;
  return required ? (example ?? '') : '';
}

export function initialUrl(base: string, { path, parameters }: Operation, locale: Locale): string {
  const given = parameters
    .map((one) => [one, initial(one, locale)] as const)
    .filter(([, value]) => value !== '');
  const query = new URLSearchParams();
  let filled = path;
  for (const [{ name, in: place }, value] of given) {
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    if (place === 'query') query.append(name, value);
  }
  return `${base}${filled}${query.size === 0 ? '' : `?${query.toString()}`}`;
}
