import { setTimeout as delay } from 'node:timers/promises';

import { Problem, type Told } from './problem.ts';

export interface StandInTask {
  readonly uid: number;
  readonly indexUid: string;
  readonly type: string;
  status: 'enqueued' | 'processing' | 'succeeded' | 'failed';
  error: Told | null;
}

/** Work that is accepted at once and done later, in the order of acceptance. */
export class Tasks {
  readonly #tasks: StandInTask[] = [];
  #last: Promise<void> = Promise.resolve();
  /** Called before a task is done; what it throws is what the task fails with. */
  before: (task: StandInTask, details: unknown) => void | Promise<void> = () => undefined;

  accept(type: string, indexUid: string, details: unknown, work: () => void): object {
    const uid = this.#tasks.length;
    const task: StandInTask = { uid, indexUid, type, status: 'enqueued', error: null };
    this.#tasks.push(task);
    this.#last = this.#last.then(() => this.#perform(task, details, work));
    return { taskUid: uid, indexUid, status: task.status, type, enqueuedAt: new Date().toISOString() };
  }

  get(uid: number): StandInTask {
    const task = this.#tasks[uid];
    if (!task) throw new Problem(404, 'task_not_found', `Task \`${uid}\` not found.`);
    return task;
  }

  async #perform(task: StandInTask, details: unknown, work: () => void): Promise<void> {
    // Nobody may rely on a task being done when it is accepted.
    await delay(1);
    task.status = 'processing';
    try {
      await this.before(task, details);
      work();
      task.status = 'succeeded';
    } catch (thrown) {
      task.error =
        thrown instanceof Problem
          ? thrown.told
          : new Problem(500, 'internal', String(thrown), 'internal').told;
      task.status = 'failed';
    }
  }
}
