import type { OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';

import type { Texts } from '../messages/texts.ts';
import type { Operation } from '../route.ts';

/** What can be asked next with something that an answer holds: the links of the OpenAPI document. */

interface LinkForm {
  readonly operationId: Operation;
  /** By name; runtime expressions of OpenAPI 3.1, section 4.8.20.3. */
  readonly parameters: Readonly<Record<string, string>>;
}

type LinkName = keyof Texts['openApi']['links'];

const FORMS: Readonly<Record<LinkName, LinkForm>> = {
  listing: { operationId: 'getListing', parameters: { slug: '$response.body#/items/0/slug' } },
  top: {
    operationId: 'getTop',
    parameters: { kind: 'channel', category: '$response.body#/trees/channel/categories/0/slug' },
  },
};

const LINKS: Readonly<Partial<Record<Operation, LinkName>>> = {
  searchListings: 'listing',
  getTop: 'listing',
  listCategories: 'top',
};

export function registerLinks(registry: OpenAPIRegistry, texts: Texts['openApi']): void {
  for (const [name, form] of Object.entries(FORMS)) {
    registry.registerComponent('links', name, { ...form, description: texts.links[name as LinkName] });
  }
}

/** The links of an operation's 200; nothing where it has none. */
export function linkReferences(operation: Operation): {
  readonly links?: Readonly<Record<string, { readonly $ref: string }>>;
} {
  const name = LINKS[operation];
  return name === undefined ? {} : { links: { [name]: { $ref: `#/components/links/${name}` } } };
}
