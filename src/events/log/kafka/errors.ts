import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';

/** Kafka's own names of what no repetition mends, and what to do about it. */
const PERMANENT: Readonly<Record<string, string>> = {
  UNKNOWN_TOPIC_OR_PARTITION: 'Create the topic first: npm run -s catalog -- topics create.',
  INVALID_TOPIC_EXCEPTION: 'Choose another CATALOG_TOPIC_PREFIX.',
  MESSAGE_TOO_LARGE: "A record is larger than the topic's max.message.bytes.",
  RECORD_LIST_TOO_LARGE: "A record is larger than the topic's max.message.bytes.",
  TOPIC_AUTHORIZATION_FAILED: 'Give this user rights on the topics.',
  GROUP_AUTHORIZATION_FAILED: 'Give this user rights on the consumer groups.',
  CLUSTER_AUTHORIZATION_FAILED: 'Give this user the right to write idempotently and to create topics.',
  INVALID_SESSION_TIMEOUT:
    "The broker's group.min.session.timeout.ms and group.max.session.timeout.ms forbid it.",
  INCONSISTENT_GROUP_PROTOCOL: 'Another kind of client is in the group: give it a group of its own.',
  INVALID_REPLICATION_FACTOR: 'The cluster has fewer brokers than its default.replication.factor.',
  INVALID_CONFIG: 'The broker refuses the settings of the topic.',
  POLICY_VIOLATION: 'A policy of the cluster forbids the topic as we ask for it: create it by other means.',
  UNSUPPORTED_VERSION: 'Kafka 2.3 or newer is needed.',
  UNSUPPORTED_SASL_MECHANISM: 'The broker offers other mechanisms: set sasl= in CATALOG_LOG_URL.',
  SASL_AUTHENTICATION_FAILED: 'Check user, password and mechanism in CATALOG_LOG_URL.',
  KafkaJSSASLAuthenticationError: 'Check user, password and mechanism in CATALOG_LOG_URL.',
  KafkaJSServerDoesNotSupportApiKey: 'Kafka 2.3 or newer is needed.',
};

/**
 * Kafka's and its client's errors, once: what nothing but a person mends is permanent, all else may pass. Errors of
 * ours come through as they are.
 */
export function translateKafka(what: string, thrown: unknown): unknown {
  if (thrown instanceof RetryableError || thrown instanceof PermanentError) return thrown;
  const advice = namesOf(thrown)
    .map((name) => PERMANENT[name])
    .find((found) => found !== undefined);
  const message = `Kafka, ${what}: ${messageOf(thrown).replace(/\.?$/, '.')}`;
  return advice === undefined
    ? new RetryableError(message, { cause: thrown })
    : new PermanentError(`${message} ${advice}`, { cause: thrown });
}

/** What the errors inside an error are called, by Kafka (`type`) and by kafkajs (`name`). */
export function namesOf(thrown: unknown): readonly string[] {
  if (!(thrown instanceof Error)) return [];
  const { type, errors = [] } = thrown as { readonly type?: unknown; readonly errors?: readonly unknown[] };
  const own = [type, thrown.name].filter((name) => typeof name === 'string');
  return [...own, ...namesOf(thrown.cause), ...errors.flatMap(namesOf)];
}
