const NUMBER = new Intl.NumberFormat('en');

/** `1 event`, `12,345 events`; a plural of its own where it needs one. */
export function counted(many: number, one: string, several = `${one}s`): string {
  return `${number(many)} ${many === 1 ? one : several}`;
}

/** 12,345 */
export function number(value: number): string {
  return NUMBER.format(value);
}

/** 850 ms, 4.2 s, 3 min 20 s, 2 h 5 min, 3 d 4 h */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const [minutes, hours, days] = [
    Math.floor(seconds / 60),
    Math.floor(seconds / 3600),
    Math.floor(seconds / 86_400),
  ];
  if (hours === 0) return `${minutes} min ${seconds % 60} s`;
  if (days === 0) return `${hours} h ${minutes % 60} min`;
  return `${days} d ${hours % 24} h`;
}
