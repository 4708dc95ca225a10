import { existsSync } from 'node:fs';

import type { Parts } from '../../compose/parts.ts';
import { messageOf } from '../../platform/errors.ts';
import { withTimeLimit } from '../../stores/time-limit.ts';
import { STORES_OF, type Role } from '../process-role.ts';
import { fileOf, notChecked, problem, type Area, type Check, type CheckResult, type Look } from './check.ts';
import { configurationArea } from './configuration.ts';
import { diskArea } from './disk.ts';
import { documentsArea } from './documents.ts';
import { logArea } from './log.ts';
import { providerArea } from './provider.ts';
import { releaseArea } from './release.ts';
import { indexesArea, searchArea } from './search.ts';
import { findingsArea } from './status-findings.ts';

/** In the order in which they are told. */
const AREAS: readonly Area[] = [
  configurationArea,
  diskArea,
  documentsArea,
  releaseArea,
  logArea,
  searchArea,
  indexesArea,
  findingsArea,
  providerArea,
];

/** All checks, one after the other. What is left out is said not to be checked, and why. */
export async function examine(parts: Parts, role: Role): Promise<readonly CheckResult[]> {
  const found: CheckResult[] = [];
  for (const area of AREAS) {
    const isDown = (store: string) => !found.some((one) => one.area === store && one.verdict === 'ok');
    const reason = reasonAgainst(area, role, parts, isDown);
    const looked =
      reason === null
        ? examineArea(area, parts, role).catch((thrown: unknown) => [openingProblem(area, messageOf(thrown))])
        : [allOf(area, reason)];
    found.push(...(await looked));
  }
  return found;
}

function reasonAgainst(
  { roles, store, needs = [] }: Area,
  role: Role,
  { config }: Parts,
  isDown: (store: string) => boolean,
): string | null {
  if (!roles.includes(role)) return `${role} needs none of it.`;
  const missing = needs.filter((one) => STORES_OF[role].includes(one) && isDown(one));
  if (missing.length > 0) return `it asks the ${missing.join(' and the ')}, which cannot be asked.`;
  const file = store === undefined ? null : fileOf(config, store);
  // Opening an embedded store would make its file.
  return file === null || existsSync(file) ? null : 'its file does not exist.';
}

/** A store that cannot be opened is a problem; what only asks stores is told of beside theirs. */
function openingProblem(area: Area, reason: string): CheckResult {
  if (area.store === undefined) return allOf(area, reason);
  const hint = `Is CATALOG_${area.store.toUpperCase()}_URL right, and may this user open what it names?`;
  return { area: area.name, name: 'opened', ...problem(reason, hint) };
}

function allOf({ name }: Area, reason: string): CheckResult {
  return { area: name, name: 'all of it', ...notChecked(reason) };
}

/** Rejects where what it is about cannot be opened, or asked what there is to check. */
export async function examineArea(area: Area, parts: Parts, role: Role): Promise<readonly CheckResult[]> {
  const found: CheckResult[] = [];
  for (const check of await area.checks(parts, role)) {
    const look = await perform(check);
    if (look !== null) found.push({ area: area.name, name: check.name, ...look });
    if (area.store !== undefined && found[0]?.verdict !== 'ok') break;
  }
  return found;
}

/** How long one look may take, in milliseconds: longer than any store is given to answer by itself. */
const LIMIT_MS = 35_000;

async function perform({ hint = '', look }: Check): Promise<Look | null> {
  try {
    return await withTimeLimit(Promise.try(look), LIMIT_MS, `no answer within ${LIMIT_MS / 1000} s`);
  } catch (thrown) {
    return problem(messageOf(thrown), hint);
  }
}
