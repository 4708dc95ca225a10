/** Every help is written for npm; an image has no npm, and says here what leads to its command line. */
const WITH_NPM = 'npm run -s catalog --';

/** How a command is called here, for hints: `npm run -s catalog -- status`, or what `CATALOG_COMMAND` says. */
export function commandLine(command: string): string {
  return `${process.env['CATALOG_COMMAND'] || WITH_NPM} ${command}`;
}

/** A text that was written for npm, as it reads here. */
export function asCalledHere(text: string): string {
  return text.replaceAll(`${WITH_NPM} `, commandLine(''));
}
