/** What lanes have to know of the builds that they fold into, by the names of their collections. */
export interface BuildGate {
  /** Whether readers see the build: then upstream hears of what is parked. */
  isLive(build: string): boolean;
  /** The token of the pause that stands for the build, as far as this worker knows; null where none does. */
  pauseOf(build: string): string | null;
  /** Looks whether a pause stands now. Resolves when `pauseOf` knows. */
  look(build: string): Promise<void>;
  /** Calls the listener whenever `pauseOf` has come to know another pause of the build, until the signal is aborted. */
  onPause(build: string, listener: () => void, signal: AbortSignal): void;
}

/** For a read model of which nobody ever makes another build live. */
export const OPEN_GATE: BuildGate = {
  isLive: () => true,
  pauseOf: () => null,
  look: async () => undefined,
  onPause: () => undefined,
};
