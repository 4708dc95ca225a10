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
