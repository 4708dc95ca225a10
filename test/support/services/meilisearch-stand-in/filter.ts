import { Problem } from './problem.ts';

/**
 * The part of Meilisearch's filters that a stand-in needs, with its habits: `IN` disregards case and accents, a value
 * that looks like a number is one, and an attribute has to be declared filterable.
 */

export type Document = Readonly<Record<string, unknown>>;
type Condition = (document: Document) => boolean;

const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|([[\],()])|(>=|<=|!=|=|>|<)|([^\s[\],()"=<>!]+))/y;

interface Token {
  readonly text: string;
  readonly isQuoted: boolean;
}

export function parseFilter(filter: string, filterable: ReadonlySet<string>): Condition {
  const tokens = tokensOf(filter);
  let at = 0;
  const next = (): Token => {
    const token = tokens[at];
    at += 1;
    if (!token) throw wrong(`it ends too early: ${filter.slice(0, 100)}`);
    return token;
  };
  const isNext = (word: string): boolean => tokens[at]?.isQuoted === false && tokens[at]?.text === word;
  const expect = (word: string): void => {
    if (!isNext(word)) throw wrong(`expected ${word}`);
    at += 1;
  };
  const value = (): string => {
    const { text, isQuoted } = next();
    if (!isQuoted && !/^[\p{L}\p{N}_-]+$/u.test(text)) throw wrong(`${text} is no value`);
    return text;
  };
  const list = (): readonly string[] => {
    const values: string[] = [];
    expect('[');
    while (!isNext(']')) {
      values.push(value());
      if (!isNext(']')) expect(',');
    }
    expect(']');
    return values;
  };
  const comparison = (): Condition => {
    const attribute = value();
    if (!filterable.has(attribute)) throw wrong(`Attribute \`${attribute}\` is not filterable`);
    const { text: operator } = next();
    if (operator === 'EXISTS') return (document) => document[attribute] !== undefined;
    if (operator === '>') return greater(attribute, value());
    if (operator === 'IN') return oneOf(attribute, list());
    if (operator === 'STARTS') {
      expect('WITH');
      return beginsWith(attribute, value());
    }
    if (operator !== 'NOT') throw wrong(`${operator} is not known here`);
    expect('IN');
    return negated(oneOf(attribute, list()));
  };
  const condition = (): Condition => {
    if (isNext('NOT')) {
      at += 1;
      return negated(condition());
    }
    if (!isNext('(')) return comparison();
    at += 1;
    const inner = either();
    expect(')');
    return inner;
  };
  const separated = (by: string, one: () => Condition): readonly Condition[] => {
    const conditions = [one()];
    while (isNext(by)) {
      at += 1;
      conditions.push(one());
    }
    return conditions;
  };
  const all = (): Condition => {
    const conditions = separated('AND', condition);
    return (document) => conditions.every((holds) => holds(document));
  };
  const either = (): Condition => {
    const conditions = separated('OR', all);
    return (document) => conditions.some((holds) => holds(document));
  };
  const whole = either();
  if (at < tokens.length) throw wrong('something stands behind its end');
  return whole;
}

function negated(holds: Condition): Condition {
  return (document) => !holds(document);
}

function tokensOf(filter: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < filter.trimEnd().length) {
    const match = TOKEN.exec(filter);
    if (!match) throw wrong('a character is out of place');
    const [, quoted] = match;
    const text = quoted?.replaceAll(/\\(.)/g, '$1') ?? match[2] ?? match[3] ?? match[4] ?? '';
    tokens.push({ text, isQuoted: quoted !== undefined });
  }
  return tokens;
}

function oneOf(attribute: string, wanted: readonly string[]): Condition {
  const texts = new Set(wanted.map(normalized));
  const numbers = new Set(wanted.map(Number).filter(Number.isFinite));
  return (document) =>
    valuesOf(document[attribute]).some((found) =>
      typeof found === 'number' ? numbers.has(found) : texts.has(normalized(String(found))),
    );
}

function greater(attribute: string, bound: string): Condition {
  const number = Number(bound);
  const text = normalized(bound);
  return (document) =>
    valuesOf(document[attribute]).some((found) =>
      typeof found === 'number' ? found > number : normalized(String(found)) > text,
    );
}

function beginsWith(attribute: string, beginning: string): Condition {
  const wanted = normalized(beginning);
  return (document) =>
    valuesOf(document[attribute]).some((found) => normalized(String(found)).startsWith(wanted));
}

export function valuesOf(found: unknown): readonly unknown[] {
  if (found === null || found === undefined) return [];
  return Array.isArray(found) ? found : [found];
}

/** By text: each search compares each value of each document, most of them once more. */
const NORMALIZED = new Map<string, string>();
const MOST_NORMALIZED = 100_000;

function normalized(text: string): string {
  const known = NORMALIZED.get(text);
  if (known !== undefined) return known;
  const found = text.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '').slice(0, 400);
  if (NORMALIZED.size >= MOST_NORMALIZED) NORMALIZED.clear();
  NORMALIZED.set(text, found);
  return found;
}

function wrong(why: string): Problem {
  return new Problem(400, 'invalid_search_filter', `Invalid filter: ${why}.`);
}
