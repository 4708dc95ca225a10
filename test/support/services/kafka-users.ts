/** Who a test's Kafka knows. Only the admin may do everything; the others may do what is granted to them. */

export const ADMIN = 'admin';
/** `one-process` is for `start`: it has the rights of `project` and of `operator`. */
export const USERS = [ADMIN, 'project', 'operator', 'one-process', 'publisher', 'stranger'] as const;
export type KafkaUser = (typeof USERS)[number];

export function passwordOf(user: KafkaUser): string {
  return `of-${user}`;
}

/** A user in the form that Kafka's storage tool takes. */
export function scramOf(user: KafkaUser): string {
  return `SCRAM-SHA-512=[name=${user},password=${passwordOf(user)}]`;
}

/** The user that a command is in docs/guides/deploy.md, for its environment. */
export function asItsUser(command: string): Readonly<Record<string, string>> {
  const user = USER_OF[command] ?? 'project';
  return { CATALOG_LOG_USERNAME: user, CATALOG_LOG_PASSWORD: passwordOf(user) };
}

const USER_OF: Readonly<Record<string, KafkaUser>> = {
  start: 'one-process',
  // It needs nothing of Kafka.
  serve: 'stranger',
  publish: 'operator',
  doctor: 'operator',
  trace: 'operator',
  keep: 'operator',
  rejected: 'operator',
};
