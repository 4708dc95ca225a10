import { readFileSync } from 'node:fs';

import { codeOf, UsageError } from '../platform/errors.ts';

/** Of a secret: one that is longer is another file. */
const MAX_BYTES = 64 * 1024;

/**
 * The environment with the secrets that stand in files: `NAME_FILE` names the file whose text `NAME` gets, without the
 * line ends at its end. That is how orchestrators hand secrets out, so that nobody reads them in a list of processes or
 * containers.
 * @throws {UsageError} where both are set, or the file cannot be read, is empty or no text. No text of it is repeated.
 */
export function withSecretFiles(
  environment: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const filled: Record<string, string> = { ...environment };
  for (const name of names) {
    const { [`${name}_FILE`]: file, [name]: value } = environment;
    if (file === undefined) continue;
    if (value !== undefined) throw new UsageError(`${name} and ${name}_FILE are both set. Keep one of them.`);
    filled[name] = readSecret(`${name}_FILE`, file);
  }
  return filled;
}

function readSecret(variable: string, file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (thrown) {
    throw new UsageError(
      `${variable} is wrong: ${file} cannot be read (${codeOf(thrown) ?? String(thrown)}). Expected a file that holds the secret, readable by this process.`,
    );
  }
  const text = bytes.length > MAX_BYTES ? '' : bytes.toString('utf8').replace(/[\r\n]+$/, '');
  if (text === '' || /[\0\r\n]/.test(text))
    throw new UsageError(`${variable} is wrong: ${file} does not hold one line of text.`);
  return text;
}
