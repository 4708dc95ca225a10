import type { Place } from './changed-copy.ts';

/**
 * What the blocks of a page change, as they stand there: new files, each of which begins with its path in a comment, and
 * each `diff`. A diff names its files by `---`, has `@@` between two places of a file, and may begin or end within a line.
 */
export function changesIn(page: string): readonly Place[] {
  const blocks = page.matchAll(/^( *)```(ts|diff)\n([^]*?)^ *```$/gm);
  return [...blocks].flatMap(([, indent = '', language, block = '']) => {
    const text = block.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    if (language === 'diff') return text.split(/^--- /m).slice(1).flatMap(placesIn);
    const [, file] = /^\/\/ (\S+\/\S+)\n/.exec(text) ?? [];
    return file === undefined ? [] : [{ file, text }];
  });
}

function placesIn(ofFile: string): readonly Place[] {
  const [file = '', ...lines] = ofFile.trimEnd().split('\n');
  const hunks = lines.join('\n').split(/^@@\n/m);
  return hunks.map((hunk) => ({ file, at: side(hunk, '-'), text: side(hunk, '+') }));
}

/** What stands there before the change, or after it. */
function side(hunk: string, sign: '-' | '+'): string {
  const lines = hunk.trimEnd().split('\n');
  return lines
    .filter((line) => line.startsWith(' ') || line.startsWith(sign))
    .map((line) => line.slice(1))
    .join('\n');
}
