import { TOPICS } from '../types.ts';
import { channel, channelName, messagesOn, operation } from './channels.ts';
import { SHARED_SCHEMAS } from './shared-schemas.ts';
import { DESCRIPTION, SERVER } from './texts.ts';
import { toldOn } from './told.ts';

/** The AsyncAPI document of the events, from the very schemas by which they are decoded. */
export interface AsyncApiDocument {
  readonly asyncapi: '3.1.0';
  readonly [field: string]: unknown;
}

export interface AsyncApiOptions {
  /** Stands before the name of each topic. */
  readonly topicPrefix: string;
}

/** The application that it describes is ours: we receive what upstream publishes, and send what was refused. */
export function asyncApiDocument({ topicPrefix }: AsyncApiOptions): AsyncApiDocument {
  const channels = TOPICS.map((topic) => [channelName(topic), channel(topic, topicPrefix)] as const);
  const all = TOPICS.flatMap(toldOn);
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Catalog events',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: { kafka: KAFKA },
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(TOPICS.map(operation)),
    components: {
      messages: Object.fromEntries(TOPICS.flatMap(messagesOn)),
      securitySchemes: { scram: { type: 'scramSha512', description: SERVER.user } },
      schemas: { ...SHARED_SCHEMAS, ...Object.fromEntries(all.map(({ name, data }) => [name, data])) },
    },
  };
}

/** Every installation has its own. */
const KAFKA = {
  host: '{bootstrap}',
  protocol: 'kafka-secure',
  description: SERVER.description,
  variables: { bootstrap: { default: 'localhost:9093', description: SERVER.bootstrap } },
  security: [{ $ref: '#/components/securitySchemes/scram' }],
};
