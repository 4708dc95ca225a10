import { errorBody } from '../../../error-answer.ts';
import { wholeNumber } from '../../../http/parameters.ts';
import { textsIn } from '../../../messages/texts.ts';
import { ERROR_CODES, type ErrorCode, problem, type ProblemName, PROBLEMS } from '../../../problems.ts';
import { code, paragraph, type Section, table, type Block, type Text } from '../blocks.ts';
import type { Writing } from '../writing.ts';

/** Every code, under the anchor that `error.docs` leads to. */
export function errors(writing: Writing): Section {
  const { texts, prose, locale, publicUrl } = writing;
  const { errors: said } = texts;
  const { accepts } = wholeNumber({ max: 100, otherwise: 20 });
  const example = errorBody(problem('wrong_parameter', { name: 'limit', accepts }), locale, publicUrl);
  return {
    id: 'errors',
    title: said.title,
    body: [
      paragraph(prose(said.intro)),
      code({ caption: said.example, language: 'json', text: JSON.stringify(example, null, 2) }),
      paragraph(prose(said.id)),
      paragraph(prose(said.places)),
      ...ERROR_CODES.map((name) => errorCode(name, writing)),
    ],
  };
}

function errorCode(name: ErrorCode, { texts, prose, locale }: Writing): Block {
  const messages = textsIn(locale).problems;
  const rows = PROBLEM_NAMES.filter((one) => PROBLEMS[one].code === name).map((one) => [
    [String(PROBLEMS[one].status)],
    message(messages[one]),
  ]);
  const messagesOfIt = table({ label: name, head: [texts.table.status, texts.table.message], rows });
  return { kind: 'error', code: name, body: [paragraph(prose(texts.errors.codes[name])), messagesOfIt] };
}

const PROBLEM_NAMES = Object.keys(PROBLEMS) as ProblemName[];

/** A message with its `{places}` set apart. */
function message(text: string): Text {
  const parts = text.split(/\{(\w+)\}/);
  return parts.map((part, index) => (index % 2 === 0 ? part : { kind: 'variable', text: part }));
}
