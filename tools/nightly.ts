/**
 * Runs what a change cannot wait for, one trial after the other, and notes for each trial on which state it last passed, in `nightly.json` beside this
 * file: `npm run test:nightly`. Names of trials as arguments run only these; `--list` prints them with what is noted.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { TRIALS as TORTURE } from '../test/torture/trials.ts'

const ROOT = resolve(import.meta.dirname, '..')
const FILE = resolve(import.meta.dirname, 'nightly.json')
const LOGS = resolve(ROOT, '.data/nightly')

/** The state of the repository that a trial passed on. */
type Pass = { readonly commit: string; readonly date: string; readonly seconds: number }

/** What npm runs, by the name of the trial. Each has another seed every night. */
const seed = String(Math.floor(Date.now() / 86_400_000))
const TRIALS: Readonly<Record<string, readonly string[]>> = {
  tests: ['run', 'test:all'],
  'nightly tests': ['exec', '--', 'sh', '.ci/test', 'nightly'],
  regexps: ['run', 'regexps'],
  compat: ['run', 'compat'],
  ...Object.fromEntries(
    TORTURE.map(({ name }) => [`torture ${name}`, ['run', 'torture', '--', '--seed', seed, name]]),
  ),
  'torture on S3': ['run', 'torture', '--', '--seed', seed, '--target', 's3'],
  mutation: ['run', 'mutation'],
  matrix: ['run', 'matrix'],
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const readPasses = (): Record<string, Pass> =>
  existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}

const args = process.argv.slice(2)
const unknown = args.filter((name) => name !== '--list' && !(name in TRIALS))
if (unknown.length > 0) {
  process.stderr.write(`There is no trial "${unknown[0]}". --list prints all.\n`)
  process.exitCode = 2
} else if (args.includes('--list')) list()
else for (const name of args.length > 0 ? args : Object.keys(TRIALS)) run(name)

function list(): void {
  const passes = readPasses()
  for (const name of Object.keys(TRIALS)) {
    const pass = passes[name]
    print(`${name.padEnd(20)} ${pass ? `${pass.commit} ${pass.date} ${pass.seconds} s` : 'never'}`)
  }
}

function run(name: string): void {
  mkdirSync(LOGS, { recursive: true })
  const path = resolve(LOGS, `${name.replaceAll(' ', '-')}.log`)
  const log = openSync(path, 'w')
  const began = performance.now()
  const env = { ...process.env, TEST_SEED: seed }
  const { status } = spawnSync('npm', [...(TRIALS[name] ?? [])], {
    cwd: ROOT,
    env,
    stdio: ['ignore', log, log],
  })
  const seconds = Math.round((performance.now() - began) / 1000)
  print(`${name}: ${status === 0 ? 'passed' : `failed, see ${path}`}, ${seconds} s`)
  if (status !== 0) {
    process.exitCode = 1
    return
  }
  const pass: Pass = { commit: head(), date: new Date().toISOString().slice(0, 10), seconds }
  writeFileSync(FILE, `${JSON.stringify({ ...readPasses(), [name]: pass }, null, 2)}\n`)
}

/** The commit, with `+` if files differ from it. */
function head(): string {
  const git = (...gitArgs: string[]) =>
    spawnSync('git', gitArgs, { cwd: ROOT, encoding: 'utf8' }).stdout.trim()
  return git('rev-parse', '--short=8', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+')
}
