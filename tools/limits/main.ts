/** Writes the values of the limits into docs/configuration.md. A test fails if the page is not up to date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { limitsPage } from './limits.ts'

const path = resolve(import.meta.dirname, '../../docs/configuration.md')
writeFileSync(path, limitsPage(readFileSync(path, 'utf8')))
