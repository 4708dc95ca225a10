import type { Parts } from '../compose/parts.ts';
import { messageOf, PermanentError, RetryableError, UsageError } from '../platform/errors.ts';
import { REJECTION_CODES } from '../events/rejection.ts';
import { repeat } from '../platform/time/repeat.ts';
import { StoppedError } from '../projecting/engine/retry.ts';
import { beginNote, SAY_MS, type Act, type ActBody, type ActResult } from './act-log.ts';
import { dropNamedBuild } from './drop.ts';
import { settleParked, type SettlementReport } from './settle-parked.ts';
import { switchTo } from './cut-over.ts';
import { settleRestore, verifyBuilds } from './verify.ts';

type Outcome = Pick<ActBody, 'state' | 'report'> & { readonly result?: ActResult };
type OnProgress = (done: number, total: number | null) => void;

/**
 * Does what an operator asked for, and notes it before and after. Never throws what came of the act: that stands in the note.
 * `most`: how many parked events it may take, the oldest first.
 */
export async function perform(parts: Parts, signal: AbortSignal, act: Act, most: number): Promise<void> {
  const note = await beginNote(parts.documents, act);
  const { kind, subject } = act;
  parts.logger.info({ act: kind, subject }, 'operator act begun');
  let known: Pick<ActBody, 'done' | 'total'> = { done: 0, total: null };
  const onProgress: OnProgress = (done, total) => (known = { done, total });
  // A write that fails is made up for by the next.
  const telling = repeat(parts.clock, SAY_MS, () => note.say(known).catch(() => undefined));
  const outcome = await outcomeOf(() => run(parts, signal, act, { most, onProgress }));
  await telling[Symbol.asyncDispose]();
  await note.say({ ...known, ...outcome });
  const { state, result } = outcome;
  parts.logger.info({ act: kind, subject, state, result }, 'operator act ended');
}

async function outcomeOf(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (thrown) {
    const reason = messageOf(thrown);
    if (thrown instanceof StoppedError) return { state: 'broken_off' };
    if (thrown instanceof UsageError || thrown instanceof PermanentError)
      return { state: 'refused', result: { code: 'refused', reason } };
    const code = thrown instanceof RetryableError ? 'failed' : 'fault';
    return { state: 'failed', result: { code, reason } };
  }
}

async function run(
  parts: Parts,
  signal: AbortSignal,
  { kind, subject, to }: Act,
  { most, onProgress }: { readonly most: number; readonly onProgress: OnProgress },
): Promise<Outcome> {
  switch (kind) {
    case 'redrive':
      return redriven(
        await settleParked(parts, signal, { action: 'redrive', of: { ids: [subject] }, onSettled }),
        signal,
      );
    case 'redrive_all': {
      const [topic, code = ''] = subject.split(' ');
      // An unknown code would select nothing, and nothing would be said of it.
      if (!Object.hasOwn(REJECTION_CODES, code)) throw new UsageError(`There is no reason ${code}.`);
      const of = { filter: { topic, code }, most };
      return redriven(await settleParked(parts, signal, { action: 'redrive', of, onSettled }), signal);
    }
    case 'cut_over':
    case 'rollback': {
      const isRollback = kind === 'rollback';
      const { from, live } = await switchTo(parts, signal, { name: subject, to, isRollback, onProgress });
      if (from === null) throw new PermanentError(`${live} is live already.`);
      return { state: 'done', result: { code: 'live', live, from } };
    }
    case 'cancel':
      await dropNamedBuild(parts, signal, subject);
      return { state: 'done', result: { code: 'removed', build: subject } };
    case 'verify': {
      const report = await verifyBuilds(parts, signal, {
        onProgress: (_what, done, total) => onProgress(done, total),
      });
      await settleRestore(parts, report);
      return { state: 'done', result: { code: report.ok ? 'equal' : 'differs' }, report };
    }
  }

  function onSettled(_result: object, done: number, total: number): void {
    onProgress(done, total);
  }
}

/** @throws {StoppedError} where it was told to stop before all of them were looked at. */
function redriven({ counts, results, chosen }: SettlementReport, { aborted }: AbortSignal): Outcome {
  if (aborted && results.length < chosen) throw new StoppedError('the act was told to stop');
  const { redriven: taken, still_rejected, gone } = counts;
  const [first = null] = results.flatMap((result) =>
    result.outcome === 'still_rejected' ? [result.reason] : [],
  );
  return {
    state: 'done',
    result: { code: 'redriven', redriven: taken, still_rejected, gone, chosen, first },
  };
}
