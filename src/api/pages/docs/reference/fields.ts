import { valueAt } from '../../../../platform/json-value.ts';
import { termHtml } from '../../parts/facts.ts';
import { html, type Html, type Part } from '../../shell/html.ts';
import type { DocsContext } from '../docs-context.ts';
import type { Schema, Schemas } from '../../../openapi/schemas.ts';
import { type Field, namesWithin, type Shape, shapeOf } from './schema-shape.ts';

/** The fields of a body, those within them folded away, each with the value that the example has. */
export function fieldList(
  schema: Schema,
  example: unknown,
  schemas: Schemas,
  { texts }: Pick<DocsContext, 'texts'>,
): Html {
  const { fieldsOf: within, only } = texts.referencePage;
  const list = (fields: readonly Field[], values: unknown, above: readonly string[]): Html =>
    html`<ul class="fields">
      ${fields.map((field) => row(field, valueAt(values, [field.name]), above))}
    </ul> `;
  const row = ({ name, schema: own }: Field, value: unknown, above: readonly string[]): Html => {
    const shape = shapeOf(own, schemas);
    const names = namesWithin(own);
    const isOpened = names.some((one) => above.includes(one));
    return html`<li>
      ${fact(nameHtml(name), shape, shape.values.length === 0 && sample(value))}${
        !isOpened && folded(html`${within} ${termHtml(name)}`, shape, firstOf(value), [...above, ...names])
      }
    </li> `;
  };
  const folded = (title: Html, shape: Shape, value: unknown, above: readonly string[]): Part =>
    shape.fields.length > 0 &&
    html`<details>
      <summary>${title}</summary>
      ${inside(shape, value, above)}
    </details> `;
  const inside = (shape: Shape, value: unknown, above: readonly string[]): Html =>
    html`${list(shape.fields, value, above)}${shape.variants.map(
      ({ name, fields }) =>
        html`<details>
          <summary>${only} ${termHtml(name)}</summary>
          ${list(fields, valueAt(value, ['kind']) === name ? value : undefined, above)}
        </details> `,
    )}`;
  return inside(shapeOf(schema, schemas), example, namesWithin(schema));
}

/** What is said of one value: its name, its type, what it is held to, `further`, and what it means. */
export function fact(name: Html, { type, bounds, values, description }: Shape, further: Part): Html {
  return html`<p class="fact">
      ${name} <span class="type" translate="no">${type}</span>
      ${bounds !== '' && html`<span class="bounds">${bounds}</span>`} ${further}
    </p>
    ${description !== '' && html`<p class="meaning">${description}</p>`}${
      values.length > 0 && html`<p class="values">${values.map(termHtml)}</p>`
    }`;
}

export function nameHtml(name: string): Html {
  return html`<code class="name" translate="no">${name}</code>`;
}

const SAMPLE_LENGTH = 30;

function sample(value: unknown): Html | null {
  if (value === undefined || value === null || typeof value === 'object') return null;
  const written = JSON.stringify(value);
  const shown = written.length > SAMPLE_LENGTH ? `${written.slice(0, SAMPLE_LENGTH)}…` : written;
  return html`<code class="example" translate="no">${shown}</code>`;
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value as readonly unknown[])[0] : value;
}
