import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import type { Search } from '../../src/stores/search/port.ts';
import { sampleUnderstanding } from './understanding.ts';

/** How good answers are, by queries that were judged: `judged.md`, `blind.md` and `third.md` say how, and what the grades mean. */

export interface JudgedQuery {
  readonly q: string;
  readonly class: string;
  /** Where a line does not say: the odd lines are `tune`. */
  readonly set: 'tune' | 'held';
  /** By slug; what is not named is 0. None where nothing answers it. */
  readonly grades?: Readonly<Record<string, number>>;
}

/** What an index answered to a query. */
export interface Answer {
  readonly query: JudgedQuery;
  readonly ids: readonly string[];
  readonly total: number;
}

/** Averages over queries that have an answer, and the share of the others that got more than three hits. */
export interface Quality {
  readonly queries: number;
  readonly ndcg: number;
  readonly mrr: number;
  readonly success: number;
  readonly empty: number;
  readonly noise: number;
}

/** `judged` has guided what there is; `blind` and `third` were judged by people who had seen none of it. */
export const SETS = ['judged', 'blind', 'third'] as const;
export type SetName = (typeof SETS)[number];

export function judgedQueries(set: SetName): readonly JudgedQuery[] {
  const lines = readFileSync(join(import.meta.dirname, `${set}.ndjson`), 'utf8')
    .trim()
    .split('\n');
  return lines.map(
    (line, at) => ({ set: at % 2 === 0 ? 'tune' : 'held', ...JSON.parse(line) }) as JudgedQuery,
  );
}

/** How many entries of an answer are looked at. */
export const LISTED = 50;

/** What an index of the sample answers, asked as the service asks it: by the names of the categories, too. */
export async function answersOf(search: Search, index: string, set: SetName): Promise<readonly Answer[]> {
  const understood = sampleUnderstanding();
  const answers: Answer[] = [];
  for (const query of judgedQueries(set)) {
    const { q } = query;
    const asked = { q, understood: understood(q), filter: {}, exclude: [], offset: 0, limit: LISTED };
    const { ids, total } = await search.query(index, asked);
    answers.push({ query, ids, total });
  }
  return answers;
}

/** The half that nothing was chosen by. */
export function heldOf(answers: readonly Answer[]): readonly Answer[] {
  return answers.filter(({ query }) => query.set === 'held');
}

export function qualityOf(answers: readonly Answer[]): Quality {
  const answerable = answers.filter(({ query }) => hasAnswer(query));
  const others = answers.filter(({ query }) => !hasAnswer(query));
  return {
    queries: answers.length,
    ndcg: mean(answerable.map(ndcgOf)),
    mrr: mean(answerable.map((answer) => 1 / placeOfGood(answer))),
    success: mean(answerable.map((answer) => (placeOfGood(answer) <= 3 ? 1 : 0))),
    empty: mean(answerable.map(({ total }) => (total === 0 ? 1 : 0))),
    noise: mean(others.map(({ total }) => (total > 3 ? 1 : 0))),
  };
}

export function byClass(answers: readonly Answer[]): ReadonlyMap<string, Quality> {
  const groups = Map.groupBy(answers, ({ query }) => query.class);
  return new Map(Array.from(groups, ([name, group]) => [name, qualityOf(group)]));
}

/** A table of all classes, for people. */
export function reportOf(title: string, answers: readonly Answer[]): string {
  const rows = [['all', qualityOf(answers)] as const, ...byClass(answers)];
  const lines = rows.map(([name, { queries, ndcg, mrr, success, empty, noise }]) =>
    [
      name.padEnd(16),
      String(queries).padStart(4),
      ...[ndcg, mrr, success, empty, noise].map((value) => value.toFixed(3).padStart(8)),
    ].join(''),
  );
  return [`${title.padEnd(20)}    nDCG     MRR     s@3   empty   noise`, ...lines].join('\n');
}

/** The goals, or just below what is reached where that is more. */
const LEAST_NDCG: Readonly<Record<SetName, number>> = { judged: 0.88, blind: 0.89, third: 0.85 };
const LEAST_OF_A_CLASS: Readonly<Record<SetName, number>> = { judged: 0.7, blind: 0.8, third: 0.65 };
const MOST_EMPTY: Readonly<Record<SetName, number>> = { judged: 0.03, blind: 0.03, third: 0.03 };
const MOST_NOISE = 0.1;

/** Fails where answers are worse than they have to be. Returns the report. */
export function expectGood(title: string, set: SetName, answers: readonly Answer[]): string {
  const report = [
    reportOf(`${title}, ${set}`, answers),
    reportOf(`${title}, ${set}, held`, heldOf(answers)),
  ].join('\n');
  const { ndcg, empty, noise } = qualityOf(answers);
  expect(ndcg, report).toBeGreaterThanOrEqual(LEAST_NDCG[set]);
  expect(empty, report).toBeLessThanOrEqual(MOST_EMPTY[set]);
  expect(noise, report).toBeLessThanOrEqual(MOST_NOISE);
  for (const [name, quality] of byClass(answers)) {
    if (name === 'unanswerable') continue;
    expect(quality.ndcg, `${name}\n${report}`).toBeGreaterThanOrEqual(LEAST_OF_A_CLASS[set]);
  }
  return report;
}

function hasAnswer({ grades = {} }: JudgedQuery): boolean {
  return Object.keys(grades).length > 0;
}

/** Normalized discounted cumulative gain of the first ten: gains are 2^grade - 1, discounts log2(place + 1). */
function ndcgOf({ query: { grades = {} }, ids }: Answer): number {
  const ideal = Object.values(grades).toSorted((one, other) => other - one);
  return gainOf(ids.map((id) => grades[id] ?? 0)) / gainOf(ideal);
}

function gainOf(grades: readonly number[]): number {
  return grades.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

/** The place of the first good answer, from 1; infinite where there is none. */
function placeOfGood({ query: { grades = {} }, ids }: Answer): number {
  const at = ids.findIndex((id) => (grades[id] ?? 0) >= 2);
  return at === -1 ? Infinity : at + 1;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
