import type { Answer } from './answers.ts';

export type Scores = ReadonlyMap<string, number>;

/** A stretch of time in which readers may come from one formula to the other, once. */
interface Turn {
  readonly to: 'old' | 'new';
  /** By `performance.now()`: when the command was given. */
  readonly from: number;
}

interface Judged {
  /** Answers that told by which formula they were made. */
  readonly told: number;
  /** One line each. */
  readonly failed: readonly string[];
  readonly mixed: readonly string[];
  readonly backwards: readonly string[];
}

/**
 * What is wrong with answers of one instance: that failed, that have scores of both formulas or of none, or that were
 * asked for when an answer of the formula to come was already there, and are of the other one. Pure.
 */
export function judge(
  answers: readonly Answer[],
  scores: Readonly<Record<'old' | 'new', Scores>>,
  turns: readonly Turn[],
): Judged {
  const judged = { told: 0, failed: [] as string[], mixed: [] as string[], backwards: [] as string[] };
  /** When an answer of the formula of each turn was first there. */
  const reached = turns.map(() => Number.POSITIVE_INFINITY);
  for (const answer of answers) {
    const { path, status, askedAt, answeredAt } = answer;
    if (status !== 200)
      judged.failed.push(
        `${path}: ${status}, ${Math.round(answeredAt - askedAt)} ms, asked ${Math.round((askedAt - (turns[0]?.from ?? 0)) / 1000)} s after the build began`,
      );
    const formulas = formulasOf(answer, scores);
    if (formulas.size > 1 || formulas.has('none'))
      judged.mixed.push(`${path}: ${[...formulas].join(' and ')}`);
    const [formula] = formulas;
    if (formulas.size !== 1 || formula === undefined || formula === 'none') continue;
    judged.told += 1;
    const at = turns.findLastIndex(({ from }) => from <= askedAt);
    const expected = turns[at]?.to ?? 'old';
    if (formula === expected) {
      if (at >= 0) reached[at] = Math.min(reached[at] ?? answeredAt, answeredAt);
    } else if (at < 0 || askedAt >= (reached[at] ?? 0)) {
      judged.backwards.push(`${path}: ${formula}`);
    }
  }
  return judged;
}

function formulasOf(answer: Answer, scores: Readonly<Record<'old' | 'new', Scores>>): ReadonlySet<string> {
  const formulas = new Set<string>();
  for (const [slug, value] of answer.scores) {
    const [before, after] = [scores.old.get(slug), scores.new.get(slug)];
    // What has changed meanwhile, or has one score by both, tells nothing.
    if (before === undefined || after === undefined || before === after) continue;
    formulas.add(value === before ? 'old' : value === after ? 'new' : 'none');
  }
  return formulas;
}
