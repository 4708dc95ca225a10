import { GenericContainer, getContainerRuntimeClient } from 'testcontainers';

import type { Source } from './service.ts';

export interface Container {
  readonly image: string;
  /** The port inside the container. */
  readonly port: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly urlOf: (host: string, port: number) => string;
  readonly versionOf: (url: string) => Promise<string>;
}

/** The service in a container, where a Docker engine answers. Its port is open before it is given out. */
export function fromDocker({ image, port, environment = {}, urlOf, versionOf }: Container): Source {
  return async () => {
    if (!(await hasEngine())) return null;
    const container = await new GenericContainer(image)
      .withExposedPorts(port)
      .withEnvironment({ ...environment })
      .start();
    const url = urlOf(container.getHost(), container.getMappedPort(port));
    return {
      url,
      version: await versionOf(url),
      from: 'docker',
      [Symbol.asyncDispose]: async () => {
        await container.stop();
      },
    };
  };
}

async function hasEngine(): Promise<boolean> {
  return await getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}
