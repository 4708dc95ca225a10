import type { Certificates } from './certificates.ts';
import { ADMIN } from './kafka-users.ts';

/** Where one node of a cluster is: its folder, and a port for each kind of who connects. */
export interface NodePlace {
  readonly id: number;
  readonly folder: string;
  readonly clients: number;
  readonly brokers: number;
  readonly controllers: number;
}

/** The settings of a node. What a client sees of them is what docs/guides/deploy.md asks of a cluster. */
export function nodeSettings(
  place: NodePlace,
  all: readonly NodePlace[],
  { keystore, password }: Certificates,
): Record<string, string> {
  const replicas = String(all.length);
  const inSync = String(Math.max(1, all.length - 1));
  return {
    'process.roles': 'broker,controller',
    'node.id': String(place.id),
    'log.dirs': place.folder,
    'controller.quorum.voters': all.map((one) => `${one.id}@127.0.0.1:${one.controllers}`).join(','),
    'controller.listener.names': 'CONTROLLER',
    listeners: `CLIENTS://127.0.0.1:${place.clients},BROKERS://127.0.0.1:${place.brokers},CONTROLLER://127.0.0.1:${place.controllers}`,
    // By a name: a certificate for an address alone is rare.
    'advertised.listeners': `CLIENTS://localhost:${place.clients},BROKERS://127.0.0.1:${place.brokers}`,
    'listener.security.protocol.map': 'CLIENTS:SASL_SSL,BROKERS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'BROKERS',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'listener.name.brokers.sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.brokers.plain.sasl.jaas.config': `${PLAIN} required username="broker" password="of-broker" user_broker="of-broker";`,
    'listener.name.clients.sasl.enabled.mechanisms': 'SCRAM-SHA-512',
    'listener.name.clients.scram-sha-512.sasl.jaas.config': `${SCRAM} required;`,
    'listener.name.clients.ssl.keystore.type': 'PKCS12',
    'listener.name.clients.ssl.keystore.location': keystore,
    'listener.name.clients.ssl.keystore.password': password,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    // Controllers speak to each other without a name.
    'super.users': `User:${ADMIN};User:broker;User:ANONYMOUS`,
    'default.replication.factor': replicas,
    'min.insync.replicas': inSync,
    'offsets.topic.replication.factor': replicas,
    'offsets.topic.num.partitions': replicas,
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': inSync,
    'transaction.state.log.num.partitions': '1',
    'share.coordinator.state.topic.replication.factor': replicas,
    'share.coordinator.state.topic.min.isr': inSync,
    // Groups of one test need not wait for members that never come.
    'group.initial.rebalance.delay.ms': '0',
    'group.min.session.timeout.ms': '1000',
    'auto.create.topics.enable': 'false',
    // After a crash a broker is let in again once its old session is over: 9 s by default.
    'broker.session.timeout.ms': '3000',
    'broker.heartbeat.interval.ms': '500',
    // A cleaner that looks often, for what compaction leaves behind.
    'log.cleaner.backoff.ms': '200',
    'log.initial.task.delay.ms': '500',
  };
}

const PLAIN = 'org.apache.kafka.common.security.plain.PlainLoginModule';
const SCRAM = 'org.apache.kafka.common.security.scram.ScramLoginModule';
