import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Registry } from 'prom-client';
import { vi } from 'vitest';

import type { NamedHealth } from '../../src/admin/probes-and-metrics.ts';
import { createReadiness } from '../../src/api/readiness.ts';
import { showReadiness } from '../../src/compose/api.ts';
import { compose, type Parts } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import type { Finding } from '../../src/findings/finding.ts';
import type { CheckResult } from '../../src/operations/doctor/check.ts';
import { readOverview } from '../../src/operations/overview.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { laneName } from '../../src/projecting/engine/lane.ts';
import type { LaneState } from '../../src/projecting/engine/lane-states.ts';
import { watchHealth } from '../../src/projecting/health/watch-health.ts';
import { readProgress } from '../../src/projecting/inspect/lane-progress.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { readAlias } from '../../src/stores/aliases.ts';
import { readWorkers } from '../../src/stores/workers.ts';
import { temporaryFolder } from './folder.ts';
import { runOperatorSite } from './operator-site.ts';
import { overriding } from './overriding.ts';
import { runHere } from './run-here.ts';
import { createTestClock } from './test-clock.ts';

/** What each place says of one installation. */
export interface Renderings {
  readonly status: readonly (Finding & { readonly message: string })[];
  readonly doctor: readonly CheckResult[];
  readonly readyz: readonly NamedHealth[];
  /** The words of the operator page, in each language. */
  readonly en: string;
  readonly ru: string;
  readonly metrics: string;
}

export interface Fault {
  /** Breaks something in the stores. */
  readonly provoke?: (parts: Parts, now: number) => Promise<unknown>;
  /** Overwrites the file of a store. */
  readonly damage?: 'documents' | 'log' | 'search';
  /** Whether a projector runs; by default one does. */
  readonly runs?: boolean;
  /** Its lanes that are not well, by name; null for one that it does not have. */
  readonly lanes?: Readonly<Record<string, Partial<LaneState> | null>>;
  /** What answers otherwise to this projector and the API. */
  readonly documents?: Partial<Documents>;
}

export const QUIET = { logger: createLogger('silent', 'test') };

/** Copies an installation that is well, or makes an empty one, and breaks it. */
export async function brokenCopy(template: string | null, { provoke, damage }: Fault) {
  const env = { CATALOG_DATA: join(temporaryFolder(), 'data') };
  if (template !== null) cpSync(template, env.CATALOG_DATA, { recursive: true });
  if (provoke) {
    await using parts = await compose(readConfig(env), 'test', QUIET);
    await provoke(parts, await parts.documents.now());
  }
  for (const end of damage ? ['.db', '.db-wal'] : [])
    writeFileSync(join(env.CATALOG_DATA, `${damage}${end}`), 'x'.repeat(5000));
  return env;
}

export async function renderingsOf(template: string | null, fault: Fault): Promise<Renderings> {
  // However slow the machine is: a heartbeat stays as young as it was.
  vi.setSystemTime(Date.now());
  try {
    return await rendered(template, fault);
  } finally {
    vi.useRealTimers();
  }
}

async function rendered(template: string | null, fault: Fault): Promise<Renderings> {
  const env = await brokenCopy(template, fault);
  await using parts = await compose(readConfig(env), 'test', QUIET);
  await using stack = new AsyncDisposableStack();
  const documents = overriding(parts.documents, fault.documents ?? {});
  const [clock, registry] = [createTestClock(), new Registry()];
  const projector = fault.runs === false ? null : await watchedProjector();
  const { search, projections } = parts;
  const quota = { probe: async () => undefined, declare: async () => undefined };
  const readModels = projections.map(({ name }) => name);
  const readiness = createReadiness({
    documents,
    live: (name) => readAlias(documents, name),
    search,
    quota,
    clock,
    readModels,
    limitMs: 30_000,
  });
  showReadiness(readiness, registry);
  const checks = { ...readiness, ...(projector && { projector: () => projector.latest() }) };
  const overview = await readOverview(parts, new AbortController().signal, 'project');
  const site = stack.use(await runOperatorSite({ overview, checks }));
  const ready = await fetch(`${site.url}/readyz`);
  const [status, doctor] = [
    await runHere(['status', '--json'], env),
    await runHere(['doctor', '--json'], env),
  ];
  return {
    status: (JSON.parse(status.stdout) as { readonly findings: Renderings['status'] }).findings,
    doctor: (JSON.parse(doctor.stdout) as { readonly checks: Renderings['doctor'] }).checks,
    readyz: ((await ready.json()) as { readonly checks: Renderings['readyz'] }).checks,
    en: wordsOf(await site.read('/en')),
    ru: wordsOf(await site.read('/ru')),
    metrics: await registry.metrics(),
  };

  /** It says this of its lanes, has looked at them for 12 s, and its heartbeat says what it has seen. */
  async function watchedProjector() {
    const given = {
      ...QUIET,
      log: parts.log,
      topicName: parts.topicName,
      documents,
      projections: parts.projections,
    };
    const lanes = (await readProgress(given)).flatMap((lane): readonly LaneState[] => {
      const change = fault.lanes?.[laneName(lane)];
      return change === null ? [] : [{ lane, state: 'running', since: 0, reason: null, ...change }];
    });
    let isLate = false;
    // What has failed since was well before.
    const list = (): readonly LaneState[] =>
      lanes.map((lane) => (isLate || lane.since === 0 ? lane : { ...lane, state: 'running', since: 0 }));
    const own = { owner: 'me', lanes: list };
    const watch = stack.use(watchHealth({ ...given, clock, registry, where: 'here:1' }, own));
    await watch.look();
    clock.advance(10_000);
    await watch.look();
    clock.advance(2000);
    isLate = true;
    const isTold = async () => {
      await watch.look();
      const told = (await readWorkers(documents)).get('me')?.lanes ?? {};
      const missing = lanes.filter(
        ({ lane, state }) => !['running', told[laneName(lane)]?.state].includes(state),
      );
      if (missing.length > 0 || Object.keys(told).length === 0) throw new Error('not told yet');
    };
    if (fault.documents) await watch.look();
    else await vi.waitFor(isTold, { timeout: 20_000, interval: 5 });
    return watch;
  }
}

const ENTITIES = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** What a reader sees of a page. */
function wordsOf(page: string): string {
  const text = page.replaceAll(/<(script|style|head)\b[^]*?<\/\1>|<[^>]+>/g, ' ');
  return tight(Object.entries(ENTITIES).reduce((read, entity) => read.replaceAll(...entity), text));
}

/** Without spaces, which stand elsewhere around quotations. */
export function tight(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
