import type { Version } from '../../src/stores/documents/port.ts';
import { deepFrozen } from '../support/frozen.ts';

/** A document as it is durable. */
export class Kept {
  readonly version: Version;
  readonly text: string;
  #body: unknown;

  constructor(version: Version, text: string) {
    this.version = version;
    this.text = text;
  }

  /** Read once, and frozen: nobody can change it by holding on to it. */
  get body(): unknown {
    return (this.#body ??= deepFrozen(JSON.parse(this.text)));
  }
}
