import { type OpenApiOptions, openApiDocument } from '../../../openapi/document.ts';
import type { Answer } from '../../../openapi/error-responses.ts';
import type { Schema } from '../../../openapi/schemas.ts';

export type ApiDescription = ReturnType<typeof describeApi>;
export type Operation = ApiDescription['operations'][number];
export type Parameter = Operation['parameters'][number];

/** What the OpenAPI document says, with the references of operations to answers and links followed. */
export function describeApi(options: OpenApiOptions) {
  const { tags, paths, components } = openApiDocument(options);
  const { headers, schemas } = components;
  const operations = Object.entries(paths).map(([path, { get: operation }]) => {
    const { responses } = operation;
    const answers = new Map<string, Answer>();
    for (const [status, one] of Object.entries(responses)) {
      const answer = '$ref' in one ? components.responses[nameIn(one.$ref)] : one;
      if (answer) answers.set(status, answer);
    }
    const links = Object.keys(answers.get('200')?.links ?? {});
    return { ...operation, path, answers, links: links.flatMap((name) => components.links[name] ?? []) };
  });
  return { operations, tags, headers, schemas };
}

/** What an answer has in its body; a 304 has none. */
export function bodyOf({ content }: Answer): { readonly schema: Schema; readonly example: unknown } | null {
  const json = content?.['application/json'];
  return json === undefined ? null : { schema: json.schema, example: json.examples.example.value };
}

/** The last part of a reference within the document. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
