import { describe, expect, test } from 'vitest';

import { PROJECTIONS } from '../../projections/index.ts';
import { changeSample, readSample } from '../../src/cli/commands/start/sample-state.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';
import { patiently } from '../support/patiently.ts';
import { eventually, type Newcomer } from './newcomer-stage.ts';

export function describeFirstStart(newcomer: () => Newcomer): void {
  describe('the first start', () => {
    test('prints requests that work as printed, and have something to answer', async () => {
      const banner = await newcomer().service.printed('Ctrl-C stops.');
      const printed = /curl (?:-G )?(?:-H 'x-api-key: (\S+)' )?(?:--data-urlencode '(\S+)' )?'(\S+)'/g;
      const requests = [...banner.matchAll(printed)];
      expect(requests).toHaveLength(4);
      for (const [, header, data, url] of requests) {
        const asked = data === undefined ? String(url) : `${url}&${encodeURI(data)}`;
        const headers: Record<string, string> = header === undefined ? {} : { 'x-api-key': header };
        const response = await patiently(() => fetch(asked, { headers }), newcomer().service);
        const body = await response.text();
        expect(response.status, `${asked}: ${body}`).toBe(200);
        expect(body.length).toBeGreaterThan(500);
      }
    });

    test('names a documentation that is there', async () => {
      const [, url] = /^Documentation: (\S+)/m.exec(await newcomer().service.printed('Ctrl-C stops.')) ?? [];
      const page = await fetch(String(url));
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    });

    test('says on its pages and in its data what of the sample is generated', async () => {
      const { base } = newcomer();
      expect(await (await fetch(`${base}/en`)).text()).toContain('This is a sample: names are real');
      expect(await (await fetch(`${base}/api/status`)).json()).toMatchObject({ generated: true });
      const { flags } = (await newcomer().get('/listings/durov')).body;
      expect(flags).toEqual(['generated_text', 'generated_metrics']);
    });

    test('was not ready before it served the sample', async () => {
      const { first, ready } = await newcomer().readiness;
      expect(first.status).toBe(503);
      expect(ready.details).toContain(`serving ${PROJECTIONS.map(collectionOf).join(', ')}`);
    });

    test('has projected the whole sample, and totals agree', async () => {
      const categories = (await newcomer().get('/categories')).body;
      const top = (await newcomer().get('/top?limit=1')).body;
      expect(categories['total']).toBe(1276);
      expect(top['total']).toBe(1276);
    });

    test('goes on with the older days of the monitor, behind the back of whoever looks', async () => {
      const first = await eventually(
        async () => await readSample(newcomer().parts.documents),
        (state) => state?.appended === true,
      );
      await eventually(
        async () => await readSample(newcomer().parts.documents),
        (state) => (state?.from ?? 0) < (first?.from ?? 0),
      );
      // The rest of the three months would take most of this file's time.
      await changeSample(newcomer().parts.documents, (state) => state && { ...state, from: 0 });
    });

    test('answers health on the admin port alone', async () => {
      const admin = `http://127.0.0.1:${newcomer().catalog.env['ADMIN_PORT']}`;
      expect((await fetch(`${admin}/livez`)).status).toBe(200);
      await expect.poll(async () => (await fetch(`${admin}/readyz`)).status).toBe(200);
      const metrics = await (await fetch(`${admin}/metrics`)).text();
      expect(metrics).toContain('catalog_records_consumed_total');
      expect((await fetch(`${newcomer().base}/readyz`)).status).toBe(404);
    });
  });
}
