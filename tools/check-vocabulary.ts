/**
 * Fails if a tracked file uses the project's former vocabulary, in its text or its path. `npm run lint` runs it; arguments limit it to paths
 * that begin with them.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { findFormerTerms } from './vocabulary.ts'

const ROOT = resolve(import.meta.dirname, '..')
const CHECKED = /\.(?:ts|js|mjs|php|css|md|ya?ml|json|sql|example)$|^docker\/Dockerfile$|^\.ci\//
/** Recorded data, the texts of the demo, and the vocabulary itself. */
const EXCLUDED =
  /^(?:(?:.*\/)?package-lock\.json|test\/data\/|demo\/(?:frames\/|network\/.*\.yaml$)|tools\/vocabulary\.ts|test\/tools\/vocabulary\.test\.ts)/

const only = process.argv.slice(2)
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT })
  .toString()
  .split('\0')
  .filter((file) => CHECKED.test(file) && !EXCLUDED.test(file))
  .filter((file) => existsSync(resolve(ROOT, file)))
  .filter((file) => only.length === 0 || only.some((path) => file.startsWith(path)))

let count = 0
const report = (where: string, { term, use }: { term: string; use: string }): void => {
  count += 1
  process.stdout.write(`${where}: "${term}"; use: ${use}\n`)
}
for (const file of files) {
  for (const finding of findFormerTerms(file)) report(`${file} (path)`, finding)
  for (const finding of findFormerTerms(readFileSync(resolve(ROOT, file), 'utf8'), file)) {
    report(`${file}:${finding.line}`, finding)
  }
}
if (count > 0) {
  process.stdout.write(`Found ${count} former terms. docs/glossary.md lists the terms to use.\n`)
  process.exitCode = 1
}
