import { asCalledHere } from '../../../platform/text/command-hint.ts';
import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import advice from './advice.json' with { type: 'json' };
import { isLostWhileSigningIn } from './kafkajs-internals.ts';

/** What to do about errors, by Kafka's own names of them and those of its client. One that stands in no list may pass. */
type Advice = Readonly<Record<string, string>>;

/** No repetition changes these. */
const PERMANENT: Advice = advice.permanent;

/**
 * Refusals of this user. Of one that was let in before they may pass: the directory behind SASL is down, rights are
 * being changed.
 */
const REFUSED: Advice = advice.refused;

/** What may pass, and where it does not, somebody is to be told what to look at. */
const PASSING: Advice = advice.passing;

/**
 * Kafka's and its client's errors, once: what nothing but a person can change is permanent, all else may pass. Errors of
 * ours come through as they are.
 * @param hasWorked whether the same was allowed before.
 */
export function translateKafka(what: string, thrown: unknown, hasWorked = false): unknown {
  if (thrown instanceof RetryableError || thrown instanceof PermanentError) return thrown;
  const names = namesOf(thrown);
  const adviceIn = (list: Advice): string | undefined =>
    names.map((name) => list[name]).find((found) => found !== undefined);
  const permanent = adviceIn(PERMANENT);
  const refusal = isLostWhileSigningIn(thrown) ? undefined : adviceIn(REFUSED);
  const hint = permanent ?? refusal ?? adviceIn(PASSING);
  const message = `Kafka, ${what}: ${messageOf(thrown).replace(/\.?$/, '.')}${hint ? ` ${asCalledHere(hint)}` : ''}`;
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
