import type { Documents } from '../../stores/documents/port.ts';
import { advanceLane, CHECKPOINTS, laneName, type Checkpoint, type HeldLane } from './lane.ts';

/** Another worker has claimed the lane: what stands in the checkpoint is no longer this worker's. */
export class Replaced extends Error {
  override readonly name = 'Replaced';
}

/** Makes the next state of a checkpoint. The same function, given again, means the same write. */
export type NextState = (held: HeldLane) => HeldLane;

/**
 * The checkpoint of a claimed lane, written by one caller at a time:
 *
 *   known --write--> pending --answered: done--> known     pending --answered: conflict--> Replaced
 *   pending --no answer--> pending: the same write is repeated before any other
 */
export class HeldCheckpoint {
  readonly #documents: Documents;
  #held: HeldLane;
  #pending: { readonly make: NextState; readonly next: HeldLane } | null = null;

  constructor(documents: Documents, held: HeldLane) {
    this.#documents = documents;
    this.#held = held;
  }

  /** As it is known to stand. */
  get checkpoint(): Checkpoint {
    return this.#held.checkpoint;
  }

  /**
   * Writes the next state. Where that fails, what became of it is not known: repeat it, or `settle` it.
   * @throws {Replaced} where another worker has claimed the lane.
   */
  async write(make: NextState): Promise<void> {
    const isSame = this.#pending?.make === make;
    await this.settle();
    if (isSame) return;
    this.#pending = { make, next: make(this.#held) };
    await this.settle();
  }

  /** Makes sure of a write whose answer was lost. @throws {Replaced} as `write`. */
  async settle(): Promise<void> {
    if (!this.#pending) return;
    const advanced = await advanceLane(this.#documents, this.#held, this.#pending.next);
    this.#pending = null;
    if (!advanced) throw new Replaced('another worker has claimed the lane');
    this.#held = advanced;
  }

  /** Looks whether the lane is still this worker's. @throws {Replaced} where it is not. */
  async requireOwn(): Promise<void> {
    const name = laneName(this.#held.checkpoint);
    const stored = (await this.#documents.versions(CHECKPOINTS.name, [name])).get(name);
    if (stored === this.#held.version || stored === this.#pending?.next.version) return;
    throw new Replaced('another worker has claimed the lane');
  }
}
