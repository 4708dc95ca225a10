import { Command } from 'commander';

import { buildProgram } from './building.ts';
import type { Declare, Finish } from './command.ts';

/**
 * The whole command line as a value: for its help, and for tests that hold pages equal to it. A command takes a fifth of a
 * second to load. Where words are given, only the command that they name is loaded; the others have their name and
 * summary, which is all that the overview and the help of a subject show.
 */
export async function createProgram(finish: Finish, words?: readonly string[]): Promise<Command> {
  const groups: Record<string, readonly Command[]> = {};
  for (const [heading, entries] of Object.entries(COMMANDS)) {
    groups[heading] = await Promise.all(
      Object.entries(entries).map(([name, entry]) =>
        'verbs' in entry ? subject(name, entry, finish, words) : single(name, entry, finish, words),
      ),
    );
  }
  return buildProgram(groups);
}

/** A command with what it does, and the file that says more of it. */
type Entry = readonly [summary: string, load: () => Promise<Declare>];

/** What commands are about: they are its verbs. */
interface Subject {
  readonly summary: string;
  readonly verbs: Readonly<Record<string, Entry>>;
  /** The one that is meant where none is named. */
  readonly usual?: string;
}

async function single(
  name: string,
  [summary, load]: Entry,
  finish: Finish,
  words?: readonly string[],
): Promise<Command> {
  const made = new Command(name);
  const isAsked = words === undefined || words[0] === name;
  return (isAsked ? (await load())(made, finish) : made).description(summary);
}

async function subject(
  name: string,
  { summary, verbs, usual }: Subject,
  finish: Finish,
  words?: readonly string[],
): Promise<Command> {
  const names = Object.keys(verbs);
  const alternatives = names.join('|');
  const made = new Command(name)
    .description(summary)
    .usage(`${usual === undefined ? alternatives : `[${alternatives}]`} [OPTIONS]`)
    .helpCommand(false);
  const [, second = ''] = words ?? [];
  const verb = names.includes(second) ? second : (usual ?? '');
  const asked = words === undefined ? undefined : words[0] === name ? [verb] : [];
  for (const [own, entry] of Object.entries(verbs))
    made.addCommand(await single(own, entry, finish, asked), { isDefault: own === usual });
  return made;
}

/** By the heading that they stand under in the overview. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Entry | Subject>>>> = {
  'Run:': {
    start: [
      'Run everything in one process: the API, the projector, the admin port.',
      async () => asIs((await import('./commands/start.ts')).start),
    ],
    serve: [
      'Serve the API from the documents; project nothing.',
      async () => (await import('./commands/serve.ts')).serve,
    ],
    project: [
      'Project events into documents and the search index; serve nothing but the admin port.',
      async () => (await import('./commands/project.ts')).project,
    ],
  },
  'Events:': {
    publish: [
      'Validate events, one JSON object a line, and append them to the log.',
      async () => asIs((await import('./commands/publish.ts')).publish),
    ],
    trace: [
      'Say what became of the events about one subject: did mine arrive?',
      async () => (await import('./commands/trace.ts')).trace,
    ],
    history: [
      'Tell the life of an entry, what readers saw of it or of the top at some time, or what was unpublished.',
      async () => asIs((await import('./commands/history.ts')).history),
    ],
    simulate: [
      'Print a generated history, one event a line; the same arguments give the same bytes.',
      async () => (await import('./commands/simulate.ts')).simulate,
    ],
  },
  'Operate:': {
    status: [
      'Show each read model, its search index, who projects, parked events; and what is late, stuck or waiting, and why.',
      async () => (await import('./commands/status.ts')).status,
    ],
    doctor: {
      summary: 'Check this installation, and say what to do; its topics, and the identity of its documents.',
      verbs: {
        check: [
          'Check this installation: configuration, stores, topics, rights, clocks, disk, index settings, the provider of identities; and say what to do. It changes nothing.',
          async () => (await import('./commands/doctor/check.ts')).check,
        ],
        topics: [
          'Compare the topics in the log with the contract, and create those that are missing.',
          async () => (await import('./commands/doctor/topics.ts')).topics,
        ],
        identity: [
          'Show the identity of the documents: groups in the log carry it in their names.',
          async () => (await import('./commands/doctor/identity.ts')).identity,
        ],
      },
      usual: 'check',
    },
    verify: [
      'Fold the log again and compare the result with every document, byte for byte, and the search index with the documents.',
      async () => (await import('./commands/verify.ts')).verify,
    ],
    parked: {
      summary: 'Look after parked events: records that could not be folded and wait for a decision.',
      verbs: {
        list: [
          'List parked events, oldest first.',
          async () => (await import('./commands/parked/list.ts')).list,
        ],
        show: [
          'Show one parked event with its headers and raw bytes.',
          async () => (await import('./commands/parked/show.ts')).show,
        ],
        redrive: [
          'Decode and fold parked events again, once the schema or the release is fixed.',
          async () => (await import('./commands/parked/settle.ts')).redrive,
        ],
        discard: [
          'Drop the content of parked events for good, and remember the decision.',
          async () => (await import('./commands/parked/settle.ts')).discard,
        ],
      },
    },
    keep: {
      summary: 'Keep the log in an archive, or all of an embedded installation in a backup; and restore it.',
      verbs: {
        archive: [
          'Write what the log holds, and the archive does not yet, to compressed files of NDJSON.',
          async () => (await import('./commands/keep/archive.ts')).archive,
        ],
        backup: [
          'Copy everything that an embedded installation holds into a new folder, while it runs.',
          async () => (await import('./commands/keep/backup.ts')).backup,
        ],
        restore: [
          'Put an archive into an empty log, or a backup into an empty data folder.',
          async () => (await import('./commands/keep/restore.ts')).restore,
        ],
      },
    },
  },
  'Builds:': {
    builds: {
      summary: 'Look after the builds of read models: make, compare, switch and remove them.',
      verbs: {
        list: [
          'Show the builds of each read model: which one is live, how far each is, who can serve it.',
          async () => (await import('./commands/builds/list.ts')).list,
        ],
        rebuild: [
          'Make a read model again from the log, beside the live one, and compare it with the log.',
          async () => (await import('./commands/builds/rebuild.ts')).rebuild,
        ],
        diff: [
          'Compare two builds, or shadows: what was added, removed and changed, and what moved furthest.',
          async () => asIs((await import('./commands/diff.ts')).diff),
        ],
        'cut-over': [
          'Make another build of a read model the one that readers see.',
          async () => (await import('./commands/builds/cut-over.ts')).cutOver,
        ],
        'roll-back': [
          'Go back to the build of a read model that was live before.',
          async () => (await import('./commands/builds/cut-over.ts')).rollBack,
        ],
        drop: [
          'Remove a build that is not live: its documents, its search index, its lanes.',
          async () => (await import('./commands/builds/drop.ts')).drop,
        ],
      },
    },
    shadows: {
      summary: 'Fold a part of history into a read model under a name, which nothing serves.',
      verbs: {
        replay: [
          'Fold a part of history into a shadow: a read model under a name, which nothing serves.',
          async () => (await import('./commands/shadows/replay.ts')).replay,
        ],
        list: [
          'Show the shadows: what was replayed, of which part of history, and when.',
          async () => (await import('./commands/shadows/list.ts')).list,
        ],
        drop: ['Remove a shadow.', async () => (await import('./commands/shadows/drop.ts')).drop],
      },
    },
  },
  'Analyse:': {
    search: [
      'Search the catalog as the API does, and say how the query was understood and why a hit ranks.',
      async () => (await import('./commands/search.ts')).search,
    ],
    query: [
      'Ask in SQL: one SELECT over listings, metrics, categories, the monitor and the events of the log.',
      async () => (await import('./commands/query.ts')).query,
    ],
    export: [
      'Write a view to a file: the live listings, another build, metrics, probes, events.',
      async () => (await import('./commands/export.ts')).exportView,
    ],
  },
  'Keys:': {
    keys: {
      summary: 'Create, list, rotate and revoke API keys, and show what they are used for.',
      verbs: {
        create: [
          'Create a key. It is shown once; at most 5 keys of an account are active.',
          async () => (await import('./commands/keys/create.ts')).create,
        ],
        list: [
          'List the keys of an account, without their secrets, with their last use and requests by day.',
          async () => (await import('./commands/keys/list.ts')).list,
        ],
        rotate: [
          'Make a key in the place of another one. Both work during the overlap; then the old one ends.',
          async () => (await import('./commands/keys/rotate.ts')).rotate,
        ],
        revoke: [
          'Revoke a key. Every instance refuses it within 2 seconds.',
          async () => (await import('./commands/keys/revoke.ts')).revoke,
        ],
        usage: [
          'Show how many requests an account has made, by UTC day and place.',
          async () => (await import('./commands/keys/usage.ts')).usage,
        ],
      },
    },
    accounts: {
      summary: 'Let the holders of accounts in, who then make keys on the account pages.',
      verbs: {
        invite: [
          'Make a one-time link, with which one browser signs in to an account once.',
          async () => (await import('./commands/accounts/invite.ts')).invite,
        ],
        list: [
          'List accounts with their keys, open sessions, last use, and what they used today and in 30 days.',
          async () => (await import('./commands/accounts/list.ts')).list,
        ],
        'sign-out': [
          'End all sessions of an account: every browser is signed out at once. Its keys go on working.',
          async () => (await import('./commands/accounts/sign-out.ts')).signOut,
        ],
        serve: [
          'Serve the account pages alone, beside "serve", with a database user of their own.',
          async () => (await import('./commands/accounts/serve.ts')).serve,
        ],
      },
    },
  },
  'Contract:': {
    openapi: [
      'Print the OpenAPI 3.1 document of the API, or the AsyncAPI 3 document of the events.',
      async () => (await import('./commands/openapi.ts')).openapi,
    ],
  },
};

/** A command that makes itself. */
function asIs(make: (finish: Finish) => Command): Declare {
  return (_made, finish) => make(finish);
}
