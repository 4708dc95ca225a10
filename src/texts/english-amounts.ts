import { formatsIn } from './formats.ts';

/** English amounts for a terminal and a log. */
export const PLAIN = formatsIn('en', true);

/** 12,345 */
export function number(value: number): string {
  return PLAIN.number(value);
}

/** 850 ms, 4.2 s, 3 min 20 s, 2 h, 3 d 4 h */
export function duration(ms: number): string {
  return PLAIN.duration(ms);
}

/** `1 event`, `12,345 events`; a plural of its own where it needs one. */
export function counted(many: number, one: string, several = `${one}s`): string {
  return `${number(many)} ${PLAIN.rule(many) === 'one' ? one : several}`;
}
