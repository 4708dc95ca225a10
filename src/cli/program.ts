import { readFileSync } from 'node:fs';

import { Command } from 'commander';

import release from '../../package.json' with { type: 'json' };
import { asCalledHere, commandLine } from '../platform/text/command-hint.ts';
import type { Declare, Finish } from './command.ts';
import commands from './commands.json' with { type: 'json' };
import { note, print } from './output.ts';

/**
 * The whole command line as a value: for its help, and for tests that hold pages equal to it. A command takes a fifth of a
 * second to load. Where words are given, only the command that they name is loaded; the others have their name and
 * summary, which is all that the overview and the help of a subject show.
 */
export async function createProgram(finish: Finish, words?: readonly string[]): Promise<Command> {
  const program = new Command('catalog')
    .description('Catalog Read API: a read-only JSON API over a catalog, kept up to date from events.')
    .usage('COMMAND [OPTIONS]')
    .version(release.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this')
    .helpCommand(false)
    .showSuggestionAfterError()
    .addHelpText('after', EPILOGUE);
  const make = async (path: readonly string[], summary: string, isLoaded: boolean): Promise<Command> => {
    const made = new Command(path.at(-1));
    if (isLoaded) (await declared(path))(made, path.join(' '), finish);
    return made.description(summary);
  };
  for (const [heading, entries] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const [name, entry] of Object.entries(entries)) {
      const isNamed = words === undefined || words[0] === name;
      if (typeof entry === 'string') {
        program.addCommand(await make([name], entry, isNamed));
        continue;
      }
      const { summary, verbs, usual } = entry;
      const alternatives = Object.keys(verbs).join('|');
      const subject = new Command(name)
        .description(summary)
        .usage(`${usual === undefined ? alternatives : `[${alternatives}]`} [OPTIONS]`)
        .helpCommand(false);
      const named = words?.[1] !== undefined && words[1] in verbs ? words[1] : usual;
      for (const [verb, meaning] of Object.entries(verbs)) {
        const isLoaded = isNamed && (words === undefined || verb === named);
        subject.addCommand(await make([name, verb], meaning, isLoaded), { isDefault: verb === usual });
      }
      program.addCommand(subject);
    }
  }
  configure(program, '');
  return program;
}

/** How a command, and those below it, say what they are called and what is wrong. */
function configure(command: Command, name: string): void {
  command.configureHelp({
    commandUsage: (shown) => commandLine(`${name} ${shown.usage()}`.trimStart()),
    // Names alone: no more is known of commands that were not loaded.
    subcommandTerm: (shown) => shown.name(),
  });
  command.exitOverride().configureOutput({
    writeOut: (text) => print(asCalledHere(text.trimEnd()).split('\n')),
    // The help of a command that is called without the one that it needs.
    writeErr: (text) => note(asCalledHere(text.trimEnd()).split('\n')),
    outputError: (text) => note(oneLine(text, name)),
  });
  for (const sub of command.commands) configure(sub, `${name} ${sub.name()}`.trimStart());
  if (command.commands.length > 0) return;
  command.option('--json', 'for scripts');
  command.addHelpText('after', () => `${helpOf(name)}\n${EXIT_CODES}`);
}

/** What more there is to say of a command, with examples: its section of `help.txt`. */
function helpOf(name: string): string {
  const sections = readFileSync(new URL('help.txt', import.meta.url), 'utf8').split(/^# /m);
  const own = sections.find((section) => section.startsWith(`${name}\n`));
  if (own === undefined) throw new Error(`help.txt says nothing of ${name}`);
  return own.slice(name.length + 1).trimEnd();
}

const EPILOGUE = `
Run a command with "npm run -s catalog -- COMMAND"; "COMMAND --help" shows its options and examples.
With --json a command prints JSON and nothing else, also where it fails: {"error": {"code", "message"}}.
Settings come from the environment: docs/reference/configuration.md lists them.`;

const EXIT_CODES = `
Exit codes: 0 all is well, 1 it failed or found something, 2 it was called wrongly.`;

/** What commander has found wrong, with where to look. */
function oneLine(text: string, name: string): string {
  const message = text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
  return `catalog: ${message}. See "${commandLine(`${name} --help`.trimStart())}".`;
}

/** What commands are about: they are its verbs. */
interface Subject {
  readonly summary: string;
  readonly verbs: Readonly<Record<string, string>>;
  /** The one that is meant where none is named. */
  readonly usual?: string;
}

/** What each of them does, by the heading that they stand under in the overview. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, string | Subject>>>> = commands;

/** `keys create` stands in `commands/keys.ts`, as `create`; `cut-over` is called `cutOver`. */
async function declared(path: readonly string[]): Promise<Declare> {
  const file = path.join('/');
  const { href } = new URL(`commands/${APART.has(file) ? file : path[0]}.ts`, import.meta.url);
  const loaded = (await import(href)) as Readonly<Record<string, Declare>>;
  const declare = loaded[(path.at(-1) ?? '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
  if (!declare) throw new Error(`${file} declares no command`);
  return declare;
}

/** Those that are long enough for a file of their own. */
const APART: ReadonlySet<string> = new Set([
  'builds/diff',
  'builds/rebuild',
  'doctor/identity',
  'keep/restore',
]);
