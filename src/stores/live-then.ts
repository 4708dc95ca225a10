import { KEPT_SWITCHES, type Alias, type BuildSwitch } from './live.ts';

/** Which build was live at some moment, as far as the alias remembers its switches. */

export interface LiveThen {
  /** null where it is not known. */
  readonly build: string | null;
  /** What makes that less than certain, for people, one line; null where nothing does. */
  readonly remark: string | null;
}

type Remembered = Pick<Alias, 'collection' | 'switched_at' | 'before' | 'switches'>;

/** The switches of an alias after one more, the oldest ones forgotten. */
export function withSwitch(alias: Remembered, added: BuildSwitch): readonly BuildSwitch[] {
  return [...known(alias), added].slice(-KEPT_SWITCHES);
}

/** @param at Unix milliseconds, by the store's clock as near as anybody can tell. */
export function liveThen(alias: Remembered | null, at: number): LiveThen {
  if (alias === null) return { build: null, remark: 'it has never been projected' };
  const switches = known(alias);
  const last = switches.findLast((one) => one.at <= at);
  if (last) return { build: last.build, remark: null };
  const [first] = switches;
  if (!first) return { build: alias.collection, remark: null };
  const until = new Date(first.at).toISOString();
  const remark = `the first switch that is still recorded was at ${until}: what was live before it is not certain`;
  return { build: first.before, remark };
}

/** A release that kept no list has left the last switch alone. */
function known({ collection, switched_at: at, before, switches }: Remembered): readonly BuildSwitch[] {
  if (switches.length > 0 || at === null) return switches;
  return [{ build: collection, before, at }];
}
