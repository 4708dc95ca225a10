import { beforeAll, expect, test, vi } from 'vitest';

import { forAllTests } from '../../../support/for-each-test.ts';
import { DECEIVES, HOSTILE } from '../../../support/hostile-text.ts';
import { ACTS, REDRIVE } from '../../../support/operator-acts.ts';
import { runOperatorSite } from '../../../support/operator-site.ts';

/** Every form and every question of the operator page, with hostile text in each of its fields. */

const MARKUP = '"\'><script>alert(1)</script><base href=//evil.example>';
const EVERY_CLASS = Object.values(HOSTILE).join(' ');
const TEXTS = [EVERY_CLASS, MARKUP, '__proto__', '{{lock}}{at}', '../../en', '$where', '%00'];

const site = forAllTests(runOperatorSite);
let unlocked: Awaited<ReturnType<typeof site.unlock>>;

beforeAll(async () => {
  // Many secrets from one address wait.
  vi.spyOn(site.clock, 'sleep').mockResolvedValue();
  unlocked = await site.unlock();
});

async function tell(response: Response): Promise<string> {
  const page = await response.text();
  expect(page).not.toContain('<script>alert');
  expect(page).not.toContain('<base');
  expect(page.replaceAll('\n', '')).not.toMatch(DECEIVES);
  return page;
}

test.each(['/en/act', '/en/sign-out', '/en/sign-in', '/en/nothing', '/ru/confirm'])(
  'a form to %s with hostile text is refused as a page, and does nothing',
  async (path) => {
    const { cookie, csrf } = unlocked;
    const confirmed = await site.confirm(REDRIVE, cookie);
    for (const text of TEXTS)
      for (const form of [
        { csrf: text, confirmed, kind: 'verify', secret: text },
        { csrf: `${csrf}${text}`, confirmed, secret: text },
        // A sign-out that has its token is one.
        ...(path === '/en/sign-out'
          ? []
          : [
              { csrf, confirmed: text, kind: text, secret: text },
              { csrf, kind: text, subject: text, to: text, secret: text },
              { csrf, [text]: confirmed, secret: text },
            ]),
      ]) {
        const response = await site.send(path, form, { cookie });
        expect([403, 404, 409], `${path} ${JSON.stringify(form)}`).toContain(response.status);
        await tell(response);
      }
    expect(site.acts).toEqual([]);
    // Nor has it used up what was shown.
    expect((await site.send('/en/act', { csrf, confirmed }, { cookie })).status).toBe(303);
    site.acts.splice(0);
  },
);

test('a question with hostile text offers an act on nothing but that text, and shows it as text', async () => {
  const { cookie } = unlocked;
  for (const { kind } of ACTS)
    for (const text of TEXTS) {
      const query = new URLSearchParams({ kind, subject: text, to: text });
      const response = await fetch(`${site.url}/en/confirm?${query.toString()}`, { headers: { cookie } });
      expect([200, 404, 409]).toContain(response.status);
      await tell(response);
    }
  expect(site.acts).toEqual([]);
});

test.each(['text/plain', 'application/json', 'multipart/form-data; boundary=x', ''])(
  'a body of the type %j is no form',
  async (type) => {
    const { cookie, csrf } = unlocked;
    const confirmed = await site.confirm(REDRIVE, cookie);
    const response = await fetch(`${site.url}/en/act`, {
      method: 'POST',
      headers: { Origin: site.url, cookie, 'content-type': type },
      body: Buffer.from(new URLSearchParams({ csrf, confirmed }).toString()),
    });
    expect(response.status).toBe(400);
    expect(site.acts).toEqual([]);
  },
);
