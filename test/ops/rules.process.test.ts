import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { describeWith } from '../support/describe-with.ts'
import { useFolder } from '../support/use.ts'
import { TRIALS } from '../torture/trials.ts'
import { expressionsOf, promtool, readAlerts, readDashboards, textOf } from './rules.ts'

const alerts = readAlerts()
const names = alerts.map(({ alert }) => alert)
const dashboards = readDashboards()
const guide = textOf('docs/operating.md')
const folder = await useFolder('rules')

/** The anchor of a heading, as GitHub and the documentation make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')

describe('the alerts', () => {
  it('all fire in a test', () => {
    const { tests } = parse(textOf('ops/prometheus/alerts.test.yaml'))
    const fired = JSON.stringify(tests).matchAll(/alertname=\\"(\w+)\\"/g)
    expect(new Set([...fired].map(([, name]) => name))).toEqual(new Set(names))
  })

  it('are all documented, with pages that exist', () => {
    const documented = [...guide.matchAll(/^\| `(WpFrames\w+)` \|/gm)].map(([, name]) => name)
    expect(documented.toSorted()).toEqual(names.toSorted())
    for (const { annotations } of alerts) {
      const [page = '', anchor] = annotations.runbook.split('#')
      const headings = [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text)
      expect(headings.map(anchorOf), annotations.runbook).toContain(anchor)
    }
  })

  it('are said for each trial of the torture run', () => {
    const [, below = ''] = textOf('CONTRIBUTING.md').split('## Faults and their alerts')
    const [table = ''] = below.split('\n## ')
    const rows = [...table.matchAll(/^\| `([a-z-]+)` \|(.+)\|$/gm)]
    const trials = new Map(rows.map(([, trial = '', shown = '']) => [trial, shown]))
    expect([...trials.keys()].toSorted()).toEqual(TRIALS.map(({ name }) => name).toSorted())
    for (const shown of trials.values())
      for (const [name] of shown.matchAll(/WpFrames\w+/g)) expect(names).toContain(name)
  })
})

describe('the dashboards', () => {
  it.each(dashboards)('$file has panels that each have a query', ({ panels }) => {
    for (const { type, targets, description, datasource } of panels) {
      if (type === 'row') continue
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
      expect([targets.length > 0, description, datasource]).toEqual([
        true,
        expect.any(String),
        expect.any(Object),
      ])
    }
  })

  it('use variables that they define', () => {
    for (const { panels, templating } of dashboards) {
      const defined = new Set(templating.list.map(({ name }) => name))
      const used = JSON.stringify(panels).matchAll(/\$\{?((?!__)\w+)/g)
      for (const [, name = ''] of used) expect(defined).toContain(name)
    }
  })
})

describeWith('promtool', 'Prometheus', () => {
  it('the alerts are rules that Prometheus accepts', () => {
    expect(promtool('ops/prometheus', 'check', 'rules', 'alerts.yaml')).toMatchObject({ code: 0 })
  })

  it('the alerts fire for the faults of their tests, and for nothing else', () => {
    const { code, output } = promtool('ops/prometheus', 'test', 'rules', 'alerts.test.yaml')
    expect(output).toContain('SUCCESS')
    expect(code).toBe(0)
  })

  it.each(dashboards)('the dashboard $file has expressions that parse', (dashboard) => {
    const rules = expressionsOf(dashboard).map((expr, at) => ({ record: `panel:${at}`, expr }))
    const file = join(folder, `${dashboard.uid}.yaml`)
    const check = (more: object[]) => {
      writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: [...rules, ...more] }] }))
      return promtool('.', 'check', 'rules', file)
    }
    expect(check([])).toMatchObject({ code: 0 })
    expect(check([{ record: 'panel:wrong', expr: 'sum(' }]).output).toContain('parse error')
  })
})
