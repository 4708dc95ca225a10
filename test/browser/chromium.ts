import { existsSync } from 'node:fs';

import { chromium, type Browser } from 'playwright-core';

const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The machine's own Chromium. Its sandbox cannot be had by root, as whom containers often run. */
export async function launchChromium(): Promise<Browser> {
  const given = process.env['CHROMIUM_PATH'];
  const executablePath = [...(given === undefined ? USUAL : [given])].find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      `There is no Chromium ${given === undefined ? 'in the usual places' : `at ${given}`}. Install it (apt-get install chromium) or set CHROMIUM_PATH.`,
    );
  }
  // Lines are as wide on every machine: no letter is moved to whole pixels.
  const args = ['--font-render-hinting=none'];
  return await chromium.launch({ executablePath, args, chromiumSandbox: process.getuid?.() !== 0 });
}
