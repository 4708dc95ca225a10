import { Problem } from './problem.ts';

/**
 * The part of Meilisearch's filters that a stand-in needs, with its habits: `=` disregards case and accents, a value
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
  const condition = (): Condition => {
    const attribute = value();
    if (!filterable.has(attribute)) throw wrong(`Attribute \`${attribute}\` is not filterable`);
    const { text: operator } = next();
    if (operator === 'EXISTS') return (document) => document[attribute] !== undefined;
    if (operator === '=') return oneOf(attribute, [value()]);
    if (operator === '>') return greater(attribute, value());
    if (operator === 'IN') return oneOf(attribute, list());
    if (operator !== 'NOT') throw wrong(`${operator} is not known here`);
    expect('IN');
    const isOneOf = oneOf(attribute, list());
    return (document) => !isOneOf(document);
  };
  const conditions = [condition()];
  while (at < tokens.length) {
    expect('AND');
    conditions.push(condition());
  }
  return (document) => conditions.every((holds) => holds(document));
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
  return (document) =>
    valuesOf(document[attribute]).some((found) =>
      typeof found === 'number' ? found > number : normalized(String(found)) > normalized(bound),
    );
}

function valuesOf(found: unknown): readonly unknown[] {
  if (found === null || found === undefined) return [];
  return Array.isArray(found) ? found : [found];
}

function normalized(text: string): string {
  return text.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '').slice(0, 400);
}

function wrong(why: string): Problem {
  return new Problem(400, 'invalid_search_filter', `Invalid filter: ${why}.`);
}
