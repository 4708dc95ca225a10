import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import type { Search } from '../../src/stores/search/port.ts';

/** How good answers are, by `judged.ndjson`: `judged.md` says what its grades mean. */

export interface JudgedQuery {
  readonly q: string;
  readonly class: string;
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

export function judgedQueries(): readonly JudgedQuery[] {
  const lines = readFileSync(join(import.meta.dirname, 'judged.ndjson'), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as JudgedQuery);
}

export async function answersOf(search: Search, index: string): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const query of judgedQueries()) {
    const asked = { q: query.q, filter: {}, exclude: [], offset: 0, limit: 50 };
    const { ids, total } = await search.query(index, asked);
    answers.push({ query, ids, total });
  }
  return answers;
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

/** Just below what is reached; the goal is 0.85. */
const LEAST_NDCG = 0.87;
const LEAST_OF_A_CLASS = 0.6;
const MOST_EMPTY = 0.03;
const MOST_NOISE = 0.1;

/** Fails where answers are worse than they have to be. Returns the report. */
export function expectGood(title: string, answers: readonly Answer[]): string {
  const report = reportOf(title, answers);
  const { ndcg, empty, noise } = qualityOf(answers);
  expect(ndcg, report).toBeGreaterThanOrEqual(LEAST_NDCG);
  expect(empty, report).toBeLessThanOrEqual(MOST_EMPTY);
  expect(noise, report).toBeLessThanOrEqual(MOST_NOISE);
  for (const [name, quality] of byClass(answers)) {
    if (name !== 'unanswerable') expect(quality.ndcg, `${name}\n${report}`).toBeGreaterThan(LEAST_OF_A_CLASS);
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
