import { commandLine } from '../../../platform/text/command-hint.ts';
import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import { isLostWhileSigningIn } from './kafkajs-internals.ts';

/** Kafka's own names of what no repetition changes, and what to do about it. A name that stands in no list may pass. */
const PERMANENT: Readonly<Record<string, string>> = {
  INVALID_TOPIC_EXCEPTION: 'Choose another CATALOG_TOPIC_PREFIX.',
  MESSAGE_TOO_LARGE: "A record is larger than the topic's max.message.bytes.",
  RECORD_LIST_TOO_LARGE: "A record is larger than the topic's max.message.bytes.",
  INVALID_SESSION_TIMEOUT:
    "The broker's group.min.session.timeout.ms and group.max.session.timeout.ms forbid it.",
  INCONSISTENT_GROUP_PROTOCOL: 'Another kind of client is in the group: give it a group of its own.',
  INVALID_CONFIG: 'The broker refuses the settings of the topic.',
  POLICY_VIOLATION: 'A policy of the cluster forbids the topic as we ask for it: create it by other means.',
  UNSUPPORTED_VERSION: 'Kafka 2.3 or newer is needed.',
  KafkaJSServerDoesNotSupportApiKey: 'Kafka 2.3 or newer is needed.',
};

/**
 * Refusals of this user. Of one that was let in before they may pass: the directory behind SASL is down, rights are
 * being changed.
 */
const REFUSALS: Readonly<Record<string, string>> = {
  TOPIC_AUTHORIZATION_FAILED: 'Give this user rights on the topics.',
  GROUP_AUTHORIZATION_FAILED: 'Give this user rights on the consumer groups.',
  CLUSTER_AUTHORIZATION_FAILED: 'Give this user the right to write idempotently and to create topics.',
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: 'Give this user the right to write idempotently.',
  UNSUPPORTED_SASL_MECHANISM: 'The broker offers other mechanisms: set sasl= in CATALOG_LOG_URL.',
  SASL_AUTHENTICATION_FAILED: 'Check user, password and mechanism in CATALOG_LOG_URL.',
  KafkaJSSASLAuthenticationError: 'Check user, password and mechanism in CATALOG_LOG_URL.',
};

/** What may pass, and where it does not, somebody is to be told what to look at. */
const PASSING: Readonly<Record<string, string>> = {
  UNKNOWN_TOPIC_OR_PARTITION: `If it stays so, create the topic: ${commandLine('doctor topics --create')}`,
  INVALID_REPLICATION_FACTOR:
    'Fewer brokers are there than the default.replication.factor of the cluster asks for.',
};

/**
 * Kafka's and its client's errors, once: what nothing but a person can change is permanent, all else may pass. Errors of
 * ours come through as they are.
 * @param hasWorked whether the same was allowed before.
 */
export function translateKafka(what: string, thrown: unknown, hasWorked = false): unknown {
  if (thrown instanceof RetryableError || thrown instanceof PermanentError) return thrown;
  const names = namesOf(thrown);
  const adviceIn = (list: Readonly<Record<string, string>>): string | undefined =>
    names.map((name) => list[name]).find((found) => found !== undefined);
  const permanent = adviceIn(PERMANENT);
  const refusal = isLostWhileSigningIn(thrown) ? undefined : adviceIn(REFUSALS);
  const advice = permanent ?? refusal ?? adviceIn(PASSING);
  const message = `Kafka, ${what}: ${messageOf(thrown).replace(/\.?$/, '.')}${advice ? ` ${advice}` : ''}`;
  const isPermanent = permanent !== undefined || (refusal !== undefined && !hasWorked);
  return new (isPermanent ? PermanentError : RetryableError)(message, { cause: thrown });
}

/** Whether a user is kept from a topic: which says nothing of other topics. */
export function isTopicRefusal(thrown: unknown): boolean {
  return namesOf(thrown).includes('TOPIC_AUTHORIZATION_FAILED');
}

/** What the errors inside an error are called, by Kafka (`type`) and by kafkajs (`name`). */
export function namesOf(thrown: unknown): readonly string[] {
  if (!(thrown instanceof Error)) return [];
  const { type, errors = [] } = thrown as { readonly type?: unknown; readonly errors?: readonly unknown[] };
  const own = [type, thrown.name].filter((name) => typeof name === 'string');
  return [...own, ...namesOf(thrown.cause), ...errors.flatMap(namesOf)];
}

/** Whether Kafka itself has answered, or we have: the connection works. */
export function isAnswer(thrown: unknown): boolean {
  return thrown instanceof PermanentError || namesOf(thrown).some((name) => /^[A-Z][A-Z_]+$/.test(name));
}
