import type { Finding } from './finding.ts';
import { lineOf } from './finding-texts.ts';

/** What `/readyz` says of one part of a process: not ready where one of the findings is a problem. */
export interface Health {
  readonly ok: boolean;
  /** Well enough to be used, but not whole. */
  readonly degraded?: boolean;
  /** One line for people: what the findings say. */
  readonly detail: string;
  readonly findings?: readonly Finding[];
}

/** `well`: what is said where nothing is a problem, before what only deserves a mention. */
export function healthOf(findings: readonly Finding[], well: string): Health {
  const problems = findings.filter(({ severity }) => severity === 'problem');
  const notes = findings.filter(({ severity }) => severity === 'note').map(told);
  const ok = problems.length === 0;
  return {
    ok,
    detail: short([...(ok ? [well] : problems.map(told)), ...notes]),
    ...(findings.length > 0 && { findings }),
  };
}

export function degraded(finding: Finding): Health {
  return { ok: true, degraded: true, detail: told(finding), findings: [finding] };
}

function told(finding: Finding): string {
  return `${finding.subject}: ${lineOf(finding)}`;
}

/** What is said at most: with every lane in trouble for one reason, a few of them tell it. */
const SAID = 4;

function short(parts: readonly string[]): string {
  const rest = parts.length - SAID;
  const said = parts.slice(0, SAID).join('; ').replaceAll('.; ', '. ');
  return said + (rest > 0 ? `; and ${rest} more` : '');
}
