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
      Object.entries(commands).map(async ([name, description]) => {
        const isNamed = words === undefined || words.includes(name);
        const command = isNamed ? (await LOADERS[name as Name]())(finish) : new Command(name);
        return command.description(description);
      }),
    );
  }
  return buildProgram(groups);
}

type Name = keyof typeof LOADERS;

/** By the heading that they stand under: the overview shows no more of a command that is not loaded. */
const GROUPS: Readonly<Record<string, Partial<Record<Name, string>>>> = {
  'Run:': {
    start: 'Run everything in one process: the API, the projector, the admin port.',
    serve: 'Serve the API from the documents; project nothing.',
    project: 'Project events into documents and the search index; serve nothing but the admin port.',
  },
  'Events:': {
    publish: 'Validate events, one JSON object a line, and append them to the log.',
    trace: 'Say what became of the events about one subject: did mine arrive?',
    history:
      'Tell the life of an entry, what readers saw of it or of the top at some time, or what was unpublished.',
    simulate: 'Print a generated history, one event a line; the same arguments give the same bytes.',
  },
  'Operate:': {
    status:
      'Show each read model, its search index, who projects, parked events; and what is late, stuck or waiting, and why.',
    doctor:
      'Check this installation: configuration, stores, topics, rights, clocks, disk, index settings, the provider of identities; and say what to do. It changes nothing.',
    verify:
      'Fold the log again and compare the result with every document, byte for byte, and the search index with the documents.',
    parked: 'Look after parked events: records that could not be folded and wait for a decision.',
    topics: 'Create the topics of the contract in the log, and compare those that are there with it.',
    identity: 'Show the identity of the documents: groups in the log carry it in their names.',
  },
  'Keep:': {
    archive: 'Write what the log holds, and the archive does not yet, to compressed files of NDJSON.',
    backup: 'Copy everything that an embedded installation holds into a new folder, while it runs.',
    restore: 'Put an archive into an empty log, or a backup into an empty data folder.',
  },
  'Builds:': {
    versions: 'Show the builds of each read model: which one is live, how far each is, who can serve it.',
    rebuild: 'Make a read model again from the log, beside the live one, and compare it with the log.',
    'cut-over': 'Make another build of a read model the one that readers see.',
    rollback: 'Go back to the build of a read model that was live before.',
    drop: 'Remove a build that is not live, or a shadow: its documents, its search index, its lanes.',
  },
  'Analyse:': {
    search: 'Search the catalog as the API does, and say how the query was understood and why a hit ranks.',
    replay: 'Fold a part of history into a shadow: a read model under a name, which nothing serves.',
    shadows: 'Show the shadows: what was replayed, of which part of history, and when.',
    diff: 'Compare two builds, or shadows: what was added, removed and changed, and what moved furthest.',
    query:
      'Ask in SQL: one SELECT over listings, metrics, categories, the monitor and the events of the log.',
    export: 'Write a view to a file: the live listings, another build, metrics, probes, events.',
  },
  'Keys:': {
    keys: 'Create, list, rotate and revoke API keys, and show what they are used for.',
    accounts: 'Let the holders of accounts in, who then make keys on the account pages.',
  },
  'Contract:': {
    openapi: 'Print the OpenAPI 3.1 document of the API, or the AsyncAPI 3 document of the events.',
  },
};

const LOADERS = {
  start: async () => (await import('./commands/start.ts')).start,
  serve: async () => (await import('./commands/serve.ts')).serve,
  project: async () => (await import('./commands/project.ts')).project,
  publish: async () => (await import('./commands/publish.ts')).publish,
  trace: async () => (await import('./commands/trace.ts')).trace,
  history: async () => (await import('./commands/history.ts')).history,
  simulate: async () => (await import('./commands/simulate.ts')).simulate,
  status: async () => (await import('./commands/status.ts')).status,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  verify: async () => (await import('./commands/verify.ts')).verify,
  parked: async () => (await import('./commands/parked.ts')).parked,
  topics: async () => (await import('./commands/topics.ts')).topics,
  identity: async () => (await import('./commands/identity.ts')).identity,
  archive: async () => (await import('./commands/archive.ts')).archive,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  versions: async () => (await import('./commands/versions.ts')).versions,
  rebuild: async () => (await import('./commands/rebuild.ts')).rebuild,
  'cut-over': async () => (await import('./commands/cut-over.ts')).cutOver,
  rollback: async () => (await import('./commands/cut-over.ts')).rollback,
  drop: async () => (await import('./commands/drop.ts')).drop,
  search: async () => (await import('./commands/search.ts')).search,
  replay: async () => (await import('./commands/replay.ts')).replay,
  shadows: async () => (await import('./commands/shadows.ts')).shadows,
  diff: async () => (await import('./commands/diff.ts')).diff,
  query: async () => (await import('./commands/query.ts')).query,
  export: async () => (await import('./commands/export.ts')).exportView,
  keys: async () => (await import('./commands/keys.ts')).keys,
  accounts: async () => (await import('./commands/accounts.ts')).accounts,
  openapi: async () => (await import('./commands/openapi.ts')).openapi,
} satisfies Readonly<Record<string, () => Promise<(finish: Finish) => Command>>>;
