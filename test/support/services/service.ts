/** A service that the adapters are tested on: started once per run, by whatever this machine has. */
export interface Service {
  readonly name: string;
  /** The environment variable that names one which is there already. */
  readonly urlVariable: string;
  /** The Docker image, with its tag. */
  readonly image: string;
  /** Whether a run in CI fails where no such service, nor its stand-in, could be had. */
  readonly isRequired: boolean;
  /** @throws {NotHere} where no source has it; any other error is a source that has it and fails. */
  start(): Promise<RunningService>;
}

export interface RunningService extends AsyncDisposable {
  readonly url: string;
  readonly version: string;
  readonly from: 'environment' | 'docker' | 'registry' | 'stand-in';
}

/** Gives the service; null where this machine does not have the source. */
export type Source = () => Promise<RunningService | null>;

/** A machine that has a service in no way. Its message says which ways were tried. */
export class NotHere extends Error {
  override readonly name = 'NotHere';
}

/** The service from the first source that has it. One that has it and fails ends the search: it wants mending. */
export async function startFirst(sources: Readonly<Record<string, Source>>): Promise<RunningService> {
  for (const source of Object.values(sources)) {
    const running = await source();
    if (running) return running;
  }
  throw new NotHere(`this machine has none of: ${Object.keys(sources).join(', ')}`);
}

/** The service that a variable of the environment names. */
export function fromEnvironment(variable: string, versionOf: (url: string) => Promise<string>): Source {
  return async () => {
    const url = process.env[variable];
    if (url === undefined || url === '') return null;
    return {
      url,
      version: await versionOf(url),
      from: 'environment',
      [Symbol.asyncDispose]: async () => undefined,
    };
  };
}
