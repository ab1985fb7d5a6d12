import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { indexPage, readmePage } from '../docs/page-lists.ts'
import { findingsPage } from './findings.ts'
import { functionsPage } from './functions.ts'
import { innerLimitsPage, limitsPage } from './limits.ts'
import { metricsPage } from './metrics.ts'
import { configurationPage, dockerSettings, unitSecrets, unitSettings } from './variables.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')

/** A file that has tables of the code, or is one: its text now, and as it must be. */
export type PrintedFile = {
  readonly path: string
  readonly text: string
  readonly printed: string
}

const file = (path: string, print: (text: string) => string): PrintedFile => {
  const text = read(path)
  return { path: resolve(ROOT, path), text, printed: print(text) }
}

export const printedFiles = (): readonly PrintedFile[] => [
  file('docs/configuration.md', (page) => limitsPage(configurationPage(page))),
  file('docs/operating.md', (page) => metricsPage(findingsPage(page))),
  file('docs/performance.md', innerLimitsPage),
  file('docs/index.md', indexPage),
  file('README.md', readmePage),
  file('packages/client/README.md', functionsPage),
  file('ops/systemd/wp-frames.env', unitSettings),
  file('ops/systemd/secrets.conf', unitSecrets),
  file('docker/production.env.example', (text) =>
    dockerSettings(text, read('docker/compose.production.yaml')),
  ),
]
