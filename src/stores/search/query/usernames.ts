/**
 * A username, in the forms in which people pass it on: `@name`, `t.me/name`, `https://t.me/s/name/123?before=1`,
 * `tg://resolve?domain=name`, `name.t.me`. Pure.
 */

const NAME = '[a-z0-9_]{2,64}';
const FORMS: readonly RegExp[] = [
  new RegExp(`^@(${NAME})$`, 'i'),
  new RegExp(
    `^(?:https?:\\/\\/)?(?:www\\.)?(?:t|telegram)\\.(?:me|dog)\\/(?:s\\/)?@?(${NAME})(?:[\\/?#].*)?$`,
    'i',
  ),
  new RegExp(`^(?:https?:\\/\\/)?(${NAME})\\.t\\.me(?:[\\/?#].*)?$`, 'i'),
  new RegExp(`^tg:(?:\\/\\/)?resolve\\/?\\?(?:.*&)?domain=(${NAME})(?:&.*)?$`, 'i'),
];

/** The username that was typed; null where it is no form of one. */
export function usernameIn(q: string): string | null {
  const typed = q.trim();
  for (const form of FORMS) {
    const found = form.exec(typed)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}
