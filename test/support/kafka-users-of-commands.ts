import { passwordOf, type KafkaUser } from './services/kafka-users.ts';

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
  topics: 'operator',
  trace: 'operator',
  archive: 'operator',
  restore: 'operator',
  rejected: 'operator',
};
