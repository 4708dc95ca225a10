import { readBuild } from '../../stores/builds.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { processesUnableTo } from '../../stores/serving-processes.ts';

/** Why a build cannot be made live now. */
export type SwitchObstacle =
  | { readonly code: 'not_complete' }
  /** `server` serves readers, and has no answers for it. */
  | { readonly code: 'unservable'; readonly server: string };

/** null where nothing stands in the way, before it is verified. */
export async function obstacleTo(
  documents: Pick<Documents, 'get' | 'scan' | 'declare' | 'now'>,
  build: string,
): Promise<SwitchObstacle | null> {
  if (!(await readBuild(documents, build))?.completed_at) return { code: 'not_complete' };
  return await unservableBy(documents, build);
}

/** Which process that serves now has no answers for the build; null where every one has. */
export async function unservableBy(
  documents: Pick<Documents, 'scan' | 'declare' | 'now'>,
  build: string,
): Promise<SwitchObstacle | null> {
  const [server] = await processesUnableTo(documents, build, await documents.now());
  return server === undefined ? null : { code: 'unservable', server };
}

/** One line for people. */
export function describeObstacle(build: string, obstacle: SwitchObstacle): string {
  return obstacle.code === 'not_complete'
    ? `${build} has not caught up with the log yet`
    : `${obstacle.server} serves readers and cannot serve ${build}: stop it, or give it the release that can`;
}
