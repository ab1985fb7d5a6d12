import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const ROOT = resolve(import.meta.dirname, '../..')
export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Runs promtool in a folder. @returns its exit code and all that it printed */
export function promtool(folder: string, ...args: string[]): { code: number; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    cwd: resolve(ROOT, folder),
    encoding: 'utf8',
  })
  return { code: status ?? -1, output: stdout + stderr }
}

const AlertSchema = z.strictObject({
  alert: z.string().regex(/^WpFrames[A-Z]\w+$/),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
  annotations: z.strictObject({
    summary: z.string(),
    description: z.string(),
    runbook: z.string().regex(/^docs\/[\w-]+\.md#[\w-]+$/),
  }),
})

/** The alerts of `ops/prometheus/alerts.yaml`. */
export function readAlerts(): readonly z.output<typeof AlertSchema>[] {
  const { groups } = parse(textOf('ops/prometheus/alerts.yaml'))
  return z.array(z.object({ rules: z.array(AlertSchema) })).parse(groups)[0]?.rules ?? []
}

const DATA_SOURCE = z.strictObject({
  type: z.literal('prometheus'),
  uid: z.literal(['$', '{datasource}'].join('')),
})
const PanelSchema = z.object({
  id: z.int().positive(),
  title: z.string().min(1),
  type: z.enum(['row', 'stat', 'table', 'timeseries']),
  description: z.string().min(1).optional(),
  datasource: DATA_SOURCE.optional(),
  gridPos: z.strictObject({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
  targets: z
    .array(z.object({ refId: z.string(), datasource: DATA_SOURCE, expr: z.string() }))
    .default([]),
})
const DashboardSchema = z.object({
  uid: z.string().regex(/^[\w-]{1,40}$/),
  title: z.string().min(1),
  schemaVersion: z.int().min(36),
  templating: z.object({
    list: z.array(z.object({ name: z.string(), type: z.string(), query: z.string() })),
  }),
  panels: z.array(PanelSchema).min(1),
})

export type Dashboard = z.output<typeof DashboardSchema> & { readonly file: string }

/** The dashboards of `ops/grafana`. */
export function readDashboards(): readonly Dashboard[] {
  return readdirSync(join(ROOT, 'ops/grafana')).map((file) => ({
    ...DashboardSchema.parse(JSON.parse(textOf(`ops/grafana/${file}`))),
    file,
  }))
}

/** The expressions of a dashboard, with values for Grafana's variables. */
export const expressionsOf = ({ panels }: Dashboard): string[] =>
  panels.flatMap(({ targets }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, '.*')),
  )
