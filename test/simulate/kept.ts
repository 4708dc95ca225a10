import type { Version } from '../../src/stores/documents/port.ts';
import { deepFrozen } from '../support/frozen.ts';

/** A document as it is durable: its body is text, so that nobody can change it by holding on to it. */
export class Kept {
  readonly version: Version;
  readonly text: string;
  #body: unknown;

  constructor(version: Version, text: string) {
    this.version = version;
    this.text = text;
  }

  /** The body to look at: read once, whoever looks how often, and frozen. */
  get body(): unknown {
    return (this.#body ??= deepFrozen(JSON.parse(this.text)));
  }
}
