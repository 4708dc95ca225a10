import { kafkaFixture } from '../support/kafka-log.ts';
import { logContract } from './log.ts';

logContract('Kafka', async () => kafkaFixture());
