import { KEPT_SWITCHES, type Alias, type BuildSwitch } from './live.ts';

/** Which build was live at some moment, as far as the alias remembers its switches. */

export interface LiveThen {
  /** null where it is not known. */
  readonly build: string | null;
  /** What makes that less than certain, for people, one line; null where nothing does. */
  readonly remark: string | null;
}

/** The switches of an alias after one more, the oldest ones forgotten. */
export function withSwitch(alias: Pick<Alias, 'switches'>, added: BuildSwitch): readonly BuildSwitch[] {
  return [...alias.switches, added].slice(-KEPT_SWITCHES);
}

/** @param at Unix milliseconds, by the store's clock as near as anybody can tell. */
export function liveThen(alias: Pick<Alias, 'collection' | 'switches'> | null, at: number): LiveThen {
  if (alias === null) return { build: null, remark: 'it has never been projected' };
  const { switches } = alias;
  const last = switches.findLast((one) => one.at <= at);
  if (last) return { build: last.build, remark: null };
  const [first] = switches;
  if (!first) return { build: alias.collection, remark: null };
  const until = new Date(first.at).toISOString();
  const remark = `the first switch that is still recorded was at ${until}: what was live before it is not certain`;
  return { build: first.before, remark };
}
