import { createServer } from 'node:http';

import { createAdmin, type AdminOptions } from '../../src/admin/probes-and-metrics.ts';
import { createOperatorPages } from '../../src/admin/operator/pages.ts';
import type { Role } from '../../src/operations/process-role.ts';
import type { Act } from '../../src/operations/act-log.ts';
import type { Overview, ParkedWhole } from '../../src/operations/overview.ts';
import type { Preview } from '../../src/operations/act-preview.ts';
import type { Operator } from '../../src/operations/operator-thread/start.ts';
import { listenOn } from '../../src/platform/http-server.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { overviewWith, parkedEvent, previewOf } from './operator-overview.ts';
import { operatorVisitor, SECRET } from './operator-visitor.ts';
import { createTestClock } from './test-clock.ts';

/** The pages over a stand-in for the projector's thread, which does nothing but remember what it was asked for. */
export async function runOperatorSite({
  secret = SECRET,
  role = 'project',
  events = [parkedEvent()],
  overview = overviewWith(events),
  checks = { documents: () => ({ ok: true, detail: 'serving listings@1' }) },
  preview = previewOf,
  begun = () => 'ended',
}: {
  readonly secret?: string | null;
  readonly role?: Role;
  readonly events?: readonly ParkedWhole[];
  readonly overview?: Overview;
  readonly checks?: AdminOptions['checks'];
  readonly preview?: (act: Act) => Preview | null;
  /** What comes of an act that was asked for. */
  readonly begun?: () => Awaited<ReturnType<Operator['act']>>;
} = {}) {
  // What was asked for, in order, and what had been shown of each.
  const acts: Act[] = [];
  const confirmed: (Preview | null)[] = [];
  const logged: string[] = [];
  const clock = createTestClock();
  const operator: Operator = {
    overview: async () => overview,
    preview: async (act) => preview(act),
    parked: async (id) => events.find((one) => one.id === id) ?? null,
    act: async (act, shown) => {
      acts.push(act);
      confirmed.push(shown);
      return begun();
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  const logger = createLogger('trace', 'test', { write: (line: string) => void logged.push(line) });
  const app = createAdmin({
    checks,
    metrics: async () => '',
    operatorPages: (readHealth) => createOperatorPages({ role, readHealth, operator, secret, clock, logger }),
  });
  const listening = await listenOn(createServer(app), { port: 0, host: '127.0.0.1', variable: 'ADMIN_PORT' });
  return {
    ...listening,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
    acts,
    confirmed,
    logged,
    clock,
    ...operatorVisitor(listening.url),
  };
}
