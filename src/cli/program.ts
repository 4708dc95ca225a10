import { Command } from 'commander';

import { buildProgram } from './building.ts';
import type { Finish } from './command.ts';

/**
 * The whole command line as a value: for its help, and for tests that hold pages equal to it. A command takes a fifth of a
 * second to load. Where words are given, only the commands that they name are loaded; the others have their name and
 * description, which is all that the overview shows.
 */
export async function createProgram(finish: Finish, words?: readonly string[]): Promise<Command> {
  const groups: Record<string, readonly Command[]> = {};
  for (const [heading, commands] of Object.entries(GROUPS)) {
    groups[heading] = await Promise.all(
      Object.entries(commands).map(async ([name, { description, load }]: [string, Entry]) => {
        const isNamed = words === undefined || words.includes(name);
        const command = isNamed ? (await load())(finish) : new Command(name);
        return command.description(description);
      }),
    );
  }
  return buildProgram(groups);
}

interface Entry {
  readonly description: string;
  readonly load: () => Promise<(finish: Finish) => Command>;
}

const GROUPS = {
  'Run:': {
    start: {
      description: 'Run everything in one process: the API, the projector, the admin port.',
      load: async () => (await import('./commands/start.ts')).start,
    },
    serve: {
      description: 'Serve the API from the documents; project nothing.',
      load: async () => (await import('./commands/serve.ts')).serve,
    },
    project: {
      description: 'Project events into documents and the search index; serve nothing but the admin port.',
      load: async () => (await import('./commands/project.ts')).project,
    },
  },
  'Events:': {
    publish: {
      description: 'Validate events, one JSON object a line, and append them to the log.',
      load: async () => (await import('./commands/publish.ts')).publish,
    },
    trace: {
      description: 'Say what became of the events about one subject: did mine arrive?',
      load: async () => (await import('./commands/trace.ts')).trace,
    },
    history: {
      description:
        'Tell the life of an entry, what readers saw of it or of the top at some time, or what was unpublished.',
      load: async () => (await import('./commands/history.ts')).history,
    },
    simulate: {
      description: 'Print a generated history, one event a line; the same arguments give the same bytes.',
      load: async () => (await import('./commands/simulate.ts')).simulate,
    },
  },
  'Operate:': {
    status: {
      description:
        'Show each read model, its search index, who projects, parked events; and what is late, stuck or waiting, and why.',
      load: async () => (await import('./commands/status.ts')).status,
    },
    doctor: {
      description:
        'Check this installation: configuration, stores, topics, rights, clocks, disk, index settings, the provider of identities; and say what to do. It changes nothing.',
      load: async () => (await import('./commands/doctor.ts')).doctor,
    },
    verify: {
      description:
        'Fold the log again and compare the result with every document, byte for byte, and the search index with the documents.',
      load: async () => (await import('./commands/verify.ts')).verify,
    },
    parked: {
      description: 'Look after parked events: records that could not be folded and wait for a decision.',
      load: async () => (await import('./commands/parked.ts')).parked,
    },
    topics: {
      description: 'Create the topics of the contract in the log, and compare those that are there with it.',
      load: async () => (await import('./commands/topics.ts')).topics,
    },
    identity: {
      description: 'Show the identity of the documents: groups in the log carry it in their names.',
      load: async () => (await import('./commands/identity.ts')).identity,
    },
  },
  'Keep:': {
    archive: {
      description: 'Write what the log holds, and the archive does not yet, to compressed files of NDJSON.',
      load: async () => (await import('./commands/archive.ts')).archive,
    },
    backup: {
      description: 'Copy everything that an embedded installation holds into a new folder, while it runs.',
      load: async () => (await import('./commands/backup.ts')).backup,
    },
    restore: {
      description: 'Put an archive into an empty log, or a backup into an empty data folder.',
      load: async () => (await import('./commands/restore.ts')).restore,
    },
  },
  'Builds:': {
    versions: {
      description:
        'Show the builds of each read model: which one is live, how far each is, who can serve it.',
      load: async () => (await import('./commands/versions.ts')).versions,
    },
    rebuild: {
      description: 'Make a read model again from the log, beside the live one, and compare it with the log.',
      load: async () => (await import('./commands/rebuild.ts')).rebuild,
    },
    'cut-over': {
      description: 'Make another build of a read model the one that readers see.',
      load: async () => (await import('./commands/cut-over.ts')).cutOver,
    },
    rollback: {
      description: 'Go back to the build of a read model that was live before.',
      load: async () => (await import('./commands/cut-over.ts')).rollback,
    },
    drop: {
      description:
        'Remove a build that is not live, or a shadow: its documents, its search index, its lanes.',
      load: async () => (await import('./commands/drop.ts')).drop,
    },
  },
  'Analyse:': {
    search: {
      description:
        'Search the catalog as the API does, and say how the query was understood and why a hit ranks.',
      load: async () => (await import('./commands/search.ts')).search,
    },
    replay: {
      description: 'Fold a part of history into a shadow: a read model under a name, which nothing serves.',
      load: async () => (await import('./commands/replay.ts')).replay,
    },
    shadows: {
      description: 'Show the shadows: what was replayed, of which part of history, and when.',
      load: async () => (await import('./commands/shadows.ts')).shadows,
    },
    diff: {
      description:
        'Compare two builds, or shadows: what was added, removed and changed, and what moved furthest.',
      load: async () => (await import('./commands/diff.ts')).diff,
    },
    query: {
      description:
        'Ask in SQL: one SELECT over listings, metrics, categories, the monitor and the events of the log.',
      load: async () => (await import('./commands/query.ts')).query,
    },
    export: {
      description: 'Write a view to a file: the live listings, another build, metrics, probes, events.',
      load: async () => (await import('./commands/export.ts')).exportView,
    },
  },
  'Keys:': {
    keys: {
      description: 'Create, list, rotate and revoke API keys, and show what they are used for.',
      load: async () => (await import('./commands/keys.ts')).keys,
    },
    accounts: {
      description: 'Let the holders of accounts in, who then make keys on the account pages.',
      load: async () => (await import('./commands/accounts.ts')).accounts,
    },
  },
  'Contract:': {
    openapi: {
      description: 'Print the OpenAPI 3.1 document of the API, or the AsyncAPI 3 document of the events.',
      load: async () => (await import('./commands/openapi.ts')).openapi,
    },
  },
} as const;
