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
  const of = (some: Finding['severity']) => told(findings.filter(({ severity }) => severity === some));
  const problems = of('problem');
  const ok = problems.length === 0;
  return {
    ok,
    detail: short([...(ok ? [well] : problems), ...of('note')]),
    ...(findings.length > 0 && { findings }),
  };
}

export function degraded(finding: Finding): Health {
  return { ok: true, degraded: true, detail: told([finding]).join(''), findings: [finding] };
}

/** One line for all of whom the same is true: lanes mostly fail together. */
function told(findings: readonly Finding[]): readonly string[] {
  const groups = Map.groupBy(findings, lineOf);
  return [...groups].map(([line, alike]) => {
    const subjects = alike.map(({ subject }) => subject);
    return `${short(subjects, ', ')}: ${line}`;
  });
}

/** What is said at most: with every lane in trouble for one reason, a few of them tell it. */
const SAID = 4;

function short(parts: readonly string[], between = '; '): string {
  const rest = parts.length - SAID;
  const said = parts.slice(0, SAID).join(between).replaceAll('.; ', '. ');
  return said + (rest > 0 ? `${between}and ${rest} more` : '');
}
