/** The commands of a page, one a line, and all of them that a shell runs; what a shell is given to read is none. */
export function commandsIn(page: string): readonly string[] {
  return [...page.matchAll(/^( *)```sh\n([^]+?)^ *```$/gm)].flatMap(([, indent = '', block = '']) =>
    block
      .replaceAll(/<<'END'\n[^]*?^END$/gm, '')
      .split('\n')
      .map((line) => line.slice(indent.length).replace(/ {2,}#.*$/, ''))
      .filter((line) => line !== ''),
  );
}
