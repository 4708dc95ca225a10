import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { TEXTS } from '../../../src/texts/texts.ts';
import { createMetrics } from '../../../src/platform/metrics-registry.ts';

const { findings } = TEXTS.en.findings;

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string; readonly finding?: keyof typeof findings };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const rules = (
  parse(read('deploy/prometheus-rules.yml')) as { groups: readonly { rules: readonly Rule[] }[] }
).groups.flatMap((group) => group.rules);

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
}

const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as {
  readonly title: string;
  readonly panels: readonly Panel[];
};

const page = read('docs/reference/metrics.md');

/** Every series that is shown: those of the page, which a test holds equal to the registry, and Node's own. */
const listed = new Map(
  [...page.matchAll(/^\| `(catalog_\w+)` +\| (\w+) +\| (.*?) +\|/gm)].map(
    ([, name = '', type = '', labels = '']) => [
      name,
      { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label) },
    ],
  ),
);
const ofNode = new Set(
  createMetrics()
    .getMetricsAsArray()
    .map(({ name }) => name),
);

/** The names of series in an expression, each with the labels that it selects by. */
function seriesIn(expr: string): readonly { readonly name: string; readonly labels: readonly string[] }[] {
  const found = [...expr.matchAll(/\b((?:catalog|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)];
  return found.map(([, name = '', selectors = '']) => ({
    name,
    labels: [...selectors.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }));
}

function expectKnown(expr: string): void {
  const series = seriesIn(expr);
  expect(series, expr).not.toEqual([]);
  for (const { name, labels } of series) {
    if (ofNode.has(name)) continue;
    const histogram = listed.get(name.replace(/_(?:bucket|sum|count)$/, ''));
    const metric = listed.get(name) ?? (histogram?.type === 'histogram' ? histogram : undefined);
    expect(metric, `${name} in ${expr}`).toBeDefined();
    for (const label of labels) expect(metric?.labels, `${label} in ${expr}`).toContain(label);
  }
  expect(expr.split('(').length, expr).toBe(expr.split(')').length);
}

describe('deploy/prometheus-rules.yml', () => {
  test.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s asks for what is shown, and says what to do',
    (_, rule) => {
      expect(rule.alert).toMatch(/^Catalog[A-Z][A-Za-z]+$/);
      expectKnown(rule.expr);
      expect(rule.for).toMatch(/^\d+[mhd]$/);
      expect(['critical', 'warning', 'info']).toContain(rule.labels.severity);
      expect(rule.annotations.summary.length).toBeGreaterThan(10);
      expect(rule.annotations.description).toMatch(/^.{30,}\.$/);
      for (const [path] of rule.annotations.description.matchAll(/docs\/\S+\.md/g))
        expect(existsSync(join(root, path)), path).toBe(true);
    },
  );

  test('an alert that is about a finding advises what status advises', () => {
    const about = rules.filter(({ labels: { finding } }) => finding !== undefined);
    expect(about.length).toBeGreaterThan(7);
    for (const { alert, labels, annotations } of about) {
      const text = findings[labels.finding ?? 'halted'];
      const advice = typeof text === 'string' ? text.replace(/^.* → /, '') : text.do;
      const places = { '{subject}': '{{ $labels.lane }}', '{catalog}': 'catalog' };
      const wanted = Object.entries(places).reduce((said, place) => said.replaceAll(...place), advice);
      expect(annotations.description, alert).toBe(wanted);
    }
  });

  test('counters are asked for their rate or increase alone: they begin anew with each process', () => {
    const counted = rules.flatMap(({ expr }) =>
      seriesIn(expr)
        .filter(({ name }) => listed.get(name)?.type === 'counter')
        .map(({ name }) => [expr, name] as const),
    );
    expect(counted.length).toBeGreaterThan(3);
    for (const [expr, name] of counted) expect(expr).toMatch(new RegExp(`(?:rate|increase)\\(${name}`));
  });

  test('docs/reference/metrics.md lists the same alerts, in the same order', () => {
    const rows = [...page.matchAll(/^\| `(Catalog\w+)` +\| `(.+?)` +\| (.+?) +\| (.+?) +\|/gm)].map(
      ([, name, expr, time, advice = '']) => [name, expr?.replaceAll('\\|', '|'), time, asYaml(advice)],
    );
    const units: Readonly<Record<string, string>> = { m: 'min', h: 'h', d: 'day' };
    const wanted = rules.map(({ alert, expr, for: time, annotations }) => [
      alert,
      expr,
      time === '0m' ? 'at once' : `${time.slice(0, -1)} ${units[time.slice(-1)]}`,
      annotations.description.replace('{{ $labels.lane }}', 'LANE'),
    ]);
    expect(rows).toEqual(wanted);
  });
});

function asYaml(cell: string): string {
  return cell.replaceAll('`', '"').replaceAll(/\[(guides\/\S+)\]\(\S+?\)/g, 'docs/$1');
}

describe('deploy/grafana-dashboard.json', () => {
  test.each(dashboard.panels.map((panel) => [panel.title, panel] as const))(
    '%s asks for what is shown',
    (_, panel) => {
      expect(panel.targets).not.toEqual([]);
      for (const { expr } of panel.targets) expectKnown(expr);
    },
  );

  test('no two panels have one id or lie over each other', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});
