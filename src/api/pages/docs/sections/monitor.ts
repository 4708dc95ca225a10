import { status } from '../../../../monitor/body.ts';
import type { Policy } from '../../../../monitor/policy.ts';
import { heading, paragraph, type Section, term, table } from '../blocks.ts';
import type { Writing } from '../writing.ts';

/** The state of the platform, and the numbers by which it is decided here. */
export function monitor(writing: Writing): Section {
  const { texts, prose, policy, number } = writing;
  const { monitor: said } = texts;
  return {
    id: 'monitor',
    title: said.title,
    body: [
      paragraph(prose(said.intro)),
      table({
        label: said.state,
        head: [said.state, said.meaning],
        rows: status.shape.state.options.map((state) => [[term(state)], [said.states[state]]]),
      }),
      paragraph(prose(said.stale)),
      heading('policy', said.rules),
      paragraph(prose(said.rulesIntro, { interval: number(policy.interval_s) })),
      table({
        label: said.rules,
        head: [texts.table.name, said.number, said.meaning],
        rows: (Object.keys(policy) as (keyof Policy)[]).map((name) => [
          [term(name)],
          [number(policy[name])],
          [said.policy[name]],
        ]),
        numeric: [1],
      }),
    ],
  };
}
