import { visibleLines } from '../../../platform/visible.ts';
import type { Block, Inline, Section, Table, Text } from './blocks.ts';

/** Blocks as Markdown (CommonMark, with the tables of GitHub), for programs that read. */

export function sectionMarkdown({ title, body }: Section): string {
  return `## ${escaped(title)}\n\n${blocksMarkdown(body, 3)}`;
}

/** `level` is that of the headings in them. Every block ends with an empty line. */
export function blocksMarkdown(blocks: readonly Block[], level: 2 | 3): string {
  return blocks.map((block) => `${blockMarkdown(block, level)}\n\n`).join('');
}

function blockMarkdown(block: Block, level: 2 | 3): string {
  switch (block.kind) {
    case 'paragraph':
      return textMarkdown(block.text);
    case 'heading':
      return `${'#'.repeat(level)} ${escaped(block.title)}`;
    case 'list':
      return block.items.map((item) => `- ${textMarkdown(item)}`).join('\n');
    case 'code': {
      const fence = '`'.repeat(Math.max(3, longestRun(block.text) + 1));
      return `${escaped(block.caption)}:\n\n${fence}${block.language}\n${block.text}\n${fence}`;
    }
    case 'table':
      return tableMarkdown(block);
    case 'error':
      return `### ${codeMarkdown(block.code)}\n\n${blocksMarkdown(block.body, level).trimEnd()}`;
    case 'pages':
      return block.pages.map(({ title, address }) => `- [${escaped(title)}](${target(address)})`).join('\n');
  }
}

function tableMarkdown({ head, rows, numeric = [], foot }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  // A cell ends at a bar wherever it stands, in code too.
  const cell = (text: Text) => textMarkdown(text).replaceAll(/(?<!\\)\|/g, String.raw`\|`);
  return [
    line(head.map(escaped)),
    line(head.map((_, index) => (numeric.includes(index) ? '--:' : '---'))),
    ...[...rows, ...(foot ? [foot] : [])].map((row) => line(row.map(cell))),
  ].join('\n');
}

export function textMarkdown(text: Text): string {
  return text.map(inlineMarkdown).join('');
}

function inlineMarkdown(inline: Inline): string {
  if (typeof inline === 'string') return escaped(inline);
  switch (inline.kind) {
    case 'code':
      return codeMarkdown(inline.text);
    case 'strong':
      return `**${escaped(inline.text)}**`;
    case 'small':
      return escaped(inline.text);
    case 'variable':
      return `*${escaped(inline.text)}*`;
    case 'link':
      return `[${textMarkdown(inline.words)}](${target(inline.address)})`;
    case 'break':
      return ', ';
  }
}

function codeMarkdown(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  return fence === '`' ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** Text in which nothing is a mark. */
export function escaped(text: string): string {
  return visibleLines(text).replaceAll(/[\\`*_[\]<>|]/g, String.raw`\$&`);
}

function target(address: string): string {
  return address
    .replaceAll(/[\s()<>]/g, encodeURIComponent)
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
}
