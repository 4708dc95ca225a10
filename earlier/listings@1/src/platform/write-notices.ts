import { watch, type FSWatcher } from 'node:fs';

/**
 * The system's notices that somebody writes to a file (inotify, kqueue): what waits for writes of other processes need not
 * look all the time. A notice is a hint, never a proof of anything: it comes before what is written can be read, and on
 * some file systems it never comes. So notices are believed only while every write of this process is noticed, too:
 *
 *   unproven --a notice comes--> believed --a write of this process was not noticed--> refuted, for good
 */
export interface WriteNotices extends Disposable {
  /**
   * From now on each notice calls the listener, until it is closed. To be called once. `isOwn`: it is that of a write of this
   * process. One of another process that begins in the same turn of the event loop may hide behind it.
   */
  listen(listener: (isOwn: boolean) => void): void;
  /** Whether somebody who waits for a notice may stop looking. */
  readonly areBelieved: boolean;
  /** This process has just written to the file, in this very turn of the event loop. */
  written(): void;
}

/** Never throws: where there are no notices, or the file is not there yet, none come. */
export function noticesOf(path: string): WriteNotices {
  let watcher: FSWatcher | null = null;
  let listener: ((isOwn: boolean) => void) | null = null;
  let belief: 'unproven' | 'believed' | 'refuted' = 'unproven';
  /** How many have come. */
  let count = 0;
  let isExpecting = false;

  const close = (): void => {
    watcher?.close();
    watcher = null;
  };
  const refute = (): void => {
    belief = 'refuted';
    close();
  };
  const open = (): void => {
    if (!listener || watcher) return;
    try {
      watcher = watch(path, { persistent: false });
      watcher.on('error', refute);
      watcher.on('change', () => {
        count += 1;
        if (belief === 'unproven') belief = 'believed';
        listener?.(isExpecting);
      });
    } catch {
      // The file is made with the first write, or the system has no more notices to give.
    }
  };

  const expect = (): void => {
    isExpecting = true;
    const before = count;
    // A notice of what is written now comes when the event loop asks the system next: in its next turn, or in the one after.
    const judge = (): void => {
      isExpecting = false;
      if (watcher && count === before) refute();
    };
    setImmediate(() => setImmediate(judge));
  };

  return {
    listen: (given) => {
      listener = given;
      open();
    },
    get areBelieved() {
      return belief === 'believed';
    },
    written: () => {
      if (!watcher && belief === 'unproven') open();
      else if (watcher && !isExpecting) expect();
    },
    [Symbol.dispose]: () => {
      listener = null;
      close();
    },
  };
}
