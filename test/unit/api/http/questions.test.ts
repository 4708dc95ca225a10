import { describe, expect, test } from 'vitest';

import { createQuestions, type Questions } from '../../../../src/api/http/questions.ts';
import { renderJson } from '../../../../src/api/http/rendering.ts';

const LATELY = 100;

function setUp(maxBytes = 10_000_000) {
  let now = 0;
  const questions = createQuestions({
    clock: { monotonic: () => now },
    keptMs: LATELY,
    changes: () => 0,
    maxBytes,
  });
  const later = (ms: number): void => void (now += ms);
  return { questions, later };
}

function answer(questions: Questions, target: string): void {
  const question = questions.known(target) ?? questions.read(target, null, {});
  if (question) questions.keep(target, question, renderJson({ target }, 'en'), questions.moment());
}

describe('a question', () => {
  test('is kept from its second answer on: what is asked for once takes no place', () => {
    const { questions } = setUp();
    answer(questions, '/a');
    expect(questions.known('/a')).toBeNull();
    answer(questions, '/a');
    expect(questions.known('/a')).not.toBeNull();
  });

  test('that is kept stays so when its answer is made again after many others were asked', () => {
    const { questions, later } = setUp();
    for (let time = 0; time < 2; time += 1) answer(questions, '/a');
    for (let index = 0; index < 50_000; index += 1) answer(questions, `/once/${index}`);
    later(LATELY);
    answer(questions, '/a');
    const known = questions.known('/a');
    expect(known && questions.answerOf(known)?.bytes.toString()).toBe('{"target":"/a"}');
  });

  test('is answered from memory only for a moment', () => {
    const { questions, later } = setUp();
    for (let time = 0; time < 2; time += 1) answer(questions, '/a');
    const known = questions.known('/a');
    later(LATELY - 1);
    expect(known && questions.answerOf(known)).not.toBeNull();
    later(1);
    expect(known && questions.answerOf(known)).toBeNull();
  });

  test('without room for any is never kept', () => {
    const { questions } = setUp(0);
    for (let time = 0; time < 3; time += 1) answer(questions, '/a');
    expect(questions.known('/a')).toBeNull();
  });
});
