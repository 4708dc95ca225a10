import { Command } from 'commander';

import { buildProgram } from './build-program.ts';
import type { Declare, Finish } from './command.ts';

/**
 * The whole command line as a value: for its help, and for tests that hold pages equal to it. A command takes a fifth of a
 * second to load. Where words are given, only the command that they name is loaded; the others have their name and
 * summary, which is all that the overview and the help of a subject show.
 */
export async function createProgram(finish: Finish, words?: readonly string[]): Promise<Command> {
  const make = async (path: readonly string[], summary: string, isAsked: boolean): Promise<Command> => {
    const made = new Command(path.at(-1));
    return (isAsked ? (await declared(path))(made, finish) : made).description(summary);
  };
  const groups: Record<string, Command[]> = {};
  for (const [heading, entries] of Object.entries(COMMANDS)) {
    const group: Command[] = (groups[heading] = []);
    for (const [name, entry] of Object.entries(entries)) {
      const isNamed = words === undefined || words[0] === name;
      if (typeof entry === 'string') {
        group.push(await make([name], entry, isNamed));
        continue;
      }
      const { summary, verbs, usual } = entry;
      const alternatives = Object.keys(verbs).join('|');
      const made = new Command(name)
        .description(summary)
        .usage(`${usual === undefined ? alternatives : `[${alternatives}]`} [OPTIONS]`)
        .helpCommand(false);
      const asked = words?.[1] !== undefined && words[1] in verbs ? words[1] : usual;
      for (const [verb, meaning] of Object.entries(verbs)) {
        const isAsked = isNamed && (words === undefined || verb === asked);
        made.addCommand(await make([name, verb], meaning, isAsked), { isDefault: verb === usual });
      }
      group.push(made);
    }
  }
  return buildProgram(groups);
}

/** What commands are about: they are its verbs. */
interface Subject {
  readonly summary: string;
  readonly verbs: Readonly<Record<string, string>>;
  /** The one that is meant where none is named. */
  readonly usual?: string;
}

/** What each of them does, by the heading that they stand under in the overview. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, string | Subject>>>> = {
  'Run:': {
    start: 'Run everything in one process: the API, the projector, the admin port.',
    serve: 'Serve the API from the documents; project nothing.',
    project: 'Project events into documents and the search index; serve nothing but the admin port.',
  },
  'Events:': {
    publish: 'Validate events, one JSON object a line, and append them to the log.',
    trace: 'Say what became of the events about one subject: did mine arrive?',
    history: 'Tell the life of an entry, or what readers saw of it or of the top at some time.',
    simulate: 'Print a generated history, one event a line; the same arguments give the same bytes.',
  },
  'Operate:': {
    status:
      'Show each read model, its search index, who projects, parked events; and what is late, stuck or waiting, and why.',
    doctor: {
      summary: 'Check this installation, and say what to do; its topics, and the identity of its documents.',
      verbs: {
        check:
          'Check this installation: configuration, stores, topics, rights, clocks, disk, index settings, the provider of identities; and say what to do. It changes nothing.',
        topics: 'Check the topics of the log alone, against the contract; and create those that are missing.',
        identity: 'Show the identity of the documents: groups in the log carry it in their names.',
      },
      usual: 'check',
    },
    verify:
      'Fold the log again and compare the result with every document, byte for byte, and the search index with the documents.',
    parked: {
      summary: 'Look after parked events: records that could not be folded and wait for a decision.',
      verbs: {
        list: 'List parked events, oldest first.',
        show: 'Show one parked event with its headers and raw bytes.',
        redrive: 'Decode and fold parked events again, once the schema or the release is fixed.',
        discard: 'Drop the content of parked events for good, and remember the decision.',
      },
    },
    keep: {
      summary: 'Keep the log in an archive, or all of an embedded installation in a backup; and restore it.',
      verbs: {
        archive: 'Write what the log holds, and the archive does not yet, to compressed files of NDJSON.',
        backup: 'Copy everything that an embedded installation holds into a new folder, while it runs.',
        restore: 'Put an archive into an empty log, or a backup into an empty data folder.',
      },
    },
  },
  'Builds:': {
    builds: {
      summary: 'Look after the builds of read models: make, compare, switch and remove them.',
      verbs: {
        list: 'Show the builds of each read model: which one is live, how far each is, who can serve it.',
        rebuild: 'Make a read model again from the log, beside the live one, and compare it with the log.',
        diff: 'Compare two builds, or shadows: what was added, removed and changed, and what moved furthest.',
        'cut-over': 'Make another build of a read model the one that readers see.',
        'roll-back': 'Go back to the build of a read model that was live before.',
        drop: 'Remove a build that is not live: its documents, its search index, its lanes.',
      },
    },
    shadows: {
      summary: 'Fold a part of history into a read model under a name, which nothing serves.',
      verbs: {
        replay: 'Fold a part of history into a shadow: a read model under a name, which nothing serves.',
        list: 'Show the shadows: what was replayed, of which part of history, and when.',
        drop: 'Remove a shadow.',
      },
    },
  },
  'Analyse:': {
    search: 'Search the catalog as the API does, and say how the query was understood and why a hit ranks.',
    query:
      'Ask in SQL: one SELECT over listings, metrics, categories, the monitor and the events of the log.',
    export: 'Write a view to a file: the live listings, another build, metrics, probes, events.',
  },
  'Keys:': {
    keys: {
      summary: 'Create, list, rotate and revoke API keys, and show what they are used for.',
      verbs: {
        create: 'Create a key. It is shown once; at most 5 keys of an account are active.',
        list: 'List the keys of an account, without their secrets, with their last use and requests.',
        rotate:
          'Make a key in the place of another one. Both work during the overlap; then the old one ends.',
        revoke: 'Revoke a key. Every instance refuses it within 2 seconds.',
        usage: 'Show how many requests an account has made, by UTC day and place.',
      },
    },
    accounts: {
      summary: 'Let the holders of accounts in, who then make keys on the account pages.',
      verbs: {
        invite: 'Make a one-time link, with which one browser signs in to an account once.',
        list: 'List accounts with their keys, open sessions, last use, and what they used today and in 30 days.',
        'sign-out':
          'End all sessions of an account: every browser is signed out at once. Its keys go on working.',
        serve: 'Serve the account pages alone, beside "serve", with a database user of their own.',
      },
    },
  },
  'Contract:': {
    openapi: 'Print the OpenAPI 3.1 document of the API, or the AsyncAPI 3 document of the events.',
  },
};

/** `keys create` stands in `commands/keys/create.ts`, as `create`; `cut-over` is called `cutOver`. */
async function declared(path: readonly string[]): Promise<Declare> {
  const file = path.join('/');
  const { href } = new URL(`commands/${ELSEWHERE[file] ?? file}.ts`, import.meta.url);
  const loaded = (await import(href)) as Readonly<Record<string, Declare>>;
  const declare = loaded[(path.at(-1) ?? '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
  if (!declare) throw new Error(`${file} declares no command`);
  return declare;
}

/** Two that are one but for a word stand in one file. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'builds/roll-back': 'builds/cut-over',
  'parked/redrive': 'parked/settle',
  'parked/discard': 'parked/settle',
};
