import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useFolder } from '../support/use.ts'
import type { GrafanaDashboard } from './dashboard-type.ts'
import { textOf } from './rules.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const names = readdirSync(join(ROOT, 'ops/grafana'))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const folder = await useFolder('dashboards')
writeFileSync(
  join(folder, 'tsconfig.json'),
  JSON.stringify({
    compilerOptions: {
      module: 'esnext',
      moduleResolution: 'bundler',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    },
    files: ['dashboards.ts'],
  }),
)

const readDashboard = (text: string): GrafanaDashboard => JSON.parse(text)

/** Compiles dashboards against the types of Grafana. @returns the lines of the errors */
function errorsIn(dashboards: readonly string[]): string[] {
  const type = join(import.meta.dirname, 'dashboard-type.ts')
  const lines = dashboards.map(
    (text) => `(${JSON.stringify(readDashboard(text))}) satisfies GrafanaDashboard`,
  )
  writeFileSync(
    join(folder, 'dashboards.ts'),
    [`import type { GrafanaDashboard } from '${type}'`, ...lines, ''].join('\n'),
  )
  const { stdout } = spawnSync(process.execPath, [TSC, '--project', folder], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line !== '')
}

describe('the dashboards', () => {
  it('are what Grafana knows', () => {
    expect(errorsIn(names.map((name) => textOf(`ops/grafana/${name}`)))).toEqual([])
  })

  it('are refused with an unknown field or value', () => {
    const text = textOf('ops/grafana/overview.json')
    const mistakes = [
      ['"colorMode": "background"', '"colorMode": "backgrounds"'],
      ['"unit": "reqps"', '"units": "reqps"'],
      ['"schemaVersion"', '"schema_version"'],
      ['"showLegend": true', '"showLegend": "yes"'],
      ['"gridPos"', '"grid"'],
      ['"refresh": 2', '"refresh": 9'],
      ['"expr"', '"query"'],
    ] as const
    const wrong = mistakes.map(([right, other]) => text.replace(right, other))
    expect(wrong).not.toContain(text)
    const lines = errorsIn(wrong).map((line) => Number(/\((\d+),/.exec(line)?.[1]))
    expect([...new Set(lines)]).toEqual(mistakes.map((_, at) => at + 2))
  })
})
