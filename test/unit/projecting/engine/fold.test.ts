import { describe, expect, test } from 'vitest';

import { foldDocument } from '../../../../src/projecting/engine/fold.ts';
import { NOTES, noteEvent, type NoteRegisters } from '../../../support/fake-projection.ts';

const empty: NoteRegisters = NOTES.registers.empty;
const fold = (before: NoteRegisters, ...events: Parameters<typeof foldDocument>[3]) =>
  foldDocument(NOTES, 'a', before, events);

describe('folding a document', () => {
  test('computes the view of the last state, and says what each event did', () => {
    const { shown, effects } = fold(empty, noteEvent('a', 2, 'new'), noteEvent('a', 1, 'old'));
    expect(shown?.view).toEqual({ text: 'new' });
    expect(effects.map(({ kind }) => kind)).toEqual(['applied', 'superseded']);
  });

  test('gives back the very registers it got where nothing changed, so that nothing is written', () => {
    const { registers } = fold(empty, noteEvent('a', 1, 'x'));
    const again = fold(registers, noteEvent('a', 1, 'x'));
    expect(again.registers).toBe(registers);
    expect(again.shown).toBeNull();
  });

  test('counts another content at a known revision as a conflict, whichever of them wins', () => {
    for (const pair of [
      ['one', 'two'],
      ['two', 'one'],
    ] as const) {
      const { effects } = fold(empty, ...pair.map((text) => noteEvent('a', 1, text)));
      expect(effects[1]).toHaveProperty('conflict', true);
    }
  });

  test('leaves out an event whose contribution throws, and goes on', () => {
    const { shown, effects } = fold(empty, noteEvent('a', 1, 'boom'), noteEvent('a', 2, 'fine'));
    expect(effects.map(({ kind }) => kind)).toEqual(['failed', 'applied']);
    expect(shown?.view).toEqual({ text: 'fine' });
  });

  test('leaves out an event whose state has no view, and keeps what the others say', () => {
    const { shown, effects } = fold(empty, noteEvent('a', 1, 'fine'), noteEvent('a', 2, 'no view'));
    expect(effects.map(({ kind }) => kind)).toEqual(['applied', 'failed']);
    expect(shown?.view).toEqual({ text: 'fine' });
  });
});
