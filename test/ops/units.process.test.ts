import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Config, EnvironmentSchema, parseConfig } from '../../src/host/config/config.ts'
import { TIMINGS } from '../../src/host/timings.ts'
import { runCommand } from '../support/cli.ts'
import { describeWith } from '../support/describe-with.ts'
import { freePort } from '../support/free-port.ts'
import { listen } from '../support/listen.ts'
import { useNetwork } from '../support/network.ts'
import { useFolder } from '../support/use.ts'
import { textOf } from './rules.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const FOLDER = 'ops/systemd'
const units = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.service'))
const unitOf = (name: string): string => textOf(`${FOLDER}/${name}`)
const folder = await useFolder('units')

/** The exposure that a unit may have, in tenths: 0 is none, 10 all. Node needs the network, and memory that it may write and run. */
const THRESHOLD = '15'

function analyze(...args: string[]): { code: number; output: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, SYSTEMD_LOG_LEVEL: 'warning', SYSTEMD_COLORS: '0' },
  })
  return { code: status ?? -1, output: stdout + stderr }
}

/** Stores a unit with this machine's Node.js in place of /usr/bin/node, which systemd looks for. */
function store(name: string, text = unitOf(name)): string {
  const file = join(folder, name)
  writeFileSync(file, text.replaceAll('/usr/bin/node', process.execPath))
  return file
}

describe('the settings', () => {
  const settings = textOf(`${FOLDER}/wp-frames.env`)
  const lines = [...settings.matchAll(/^(#?)([A-Z_]+)=(.*)$/gm)]
  const given = lines.filter(([, mark]) => mark === '')
  const toEnv = (found: typeof lines) =>
    Object.fromEntries(found.map(([, , name = '', value = '']) => [name, value]))

  it('have every variable once, and no other', () => {
    const names = lines.map(([, , name]) => name)
    expect(names.toSorted()).toEqual(Object.keys(EnvironmentSchema.shape).toSorted())
  })

  it('are valid, and those that are commented out are the defaults', () => {
    // The texts of the settings are for people.
    const valuesOf = ({ shownSettings: _, ...values }: Config) => values
    const known = parseConfig(toEnv(given))
    const { STATIC_DIR: _, ...rest } = toEnv(lines)
    expect(valuesOf(parseConfig({ ...rest, ...toEnv(given) }))).toEqual(valuesOf(known))
  })

  it('of the executor are variables, and those that each executor needs', () => {
    const env = textOf(`${FOLDER}/executor.env`).matchAll(/^([A-Z_]+)=(.*)$/gm)
    const names = [...env].map(([, name = '']) => name)
    expect(names).toEqual(['HOST', 'PORT', 'METRICS_PORT', 'EXECUTOR_URL'])
  })
})

describe.each(units)('%s', (name) => {
  const unit = unitOf(name)

  describeWith('systemd-analyze', 'systemd', () => {
    it('accepts the unit', () => {
      expect(analyze('verify', store(name))).toEqual({ code: 0, output: '' })
      const wrong = unit.replace('RestrictRealtime', 'RestrictRealTime')
      expect(analyze('verify', store(`wrong-${name}`, wrong)).output).toContain('RestrictRealTime')
    })

    it('finds few rights', () => {
      const check = (file: string) =>
        analyze('security', '--offline=yes', `--threshold=${THRESHOLD}`, file).code
      expect(check(store(name))).toBe(0)
      const open = unit.replace('ProtectSystem=strict', 'ProtectSystem=no')
      expect(check(store(`open-${name}`, open.replace('SystemCallFilter=@', '#')))).not.toBe(0)
    })
  })

  it('gets its secrets as credentials', () => {
    const loaded = [...unit.matchAll(/^LoadCredential=([a-z-]+):\/etc\/wp-frames\/secrets\/\1$/gm)]
    const read = [...unit.matchAll(/^Environment=([A-Z_]+)_FILE=%d\/([a-z-]+)$/gm)]
    expect(read.map(([, , id]) => id)).toEqual(loaded.map(([, id]) => id))
    expect(read.map(([, variable]) => variable)).toContain('DATABASE_URL')
    for (const [, variable = ''] of read) expect(EnvironmentSchema.shape).toHaveProperty(variable)
  })

  it('runs files of the package', () => {
    const { files } = JSON.parse(textOf('package.json'))
    const paths = unit.matchAll(
      /\/opt\/wp-frames\/lib\/node_modules\/wp-frames\/((\w+)\/[\w./-]+)/g,
    )
    for (const [, path, top] of paths) {
      expect(files).toContain(top)
      // What is not built is in the repository.
      if (top === 'ops') expect(textOf(path ?? '')).not.toBe('')
    }
  })

  it('is stopped by systemd later than it stops by itself', () => {
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1] ?? Number.POSITIVE_INFINITY)
    expect(seconds * 1000).toBeGreaterThan(TIMINGS.process.stopLimitMs)
  })
})

it('the migrations need no secret of other parts', async () => {
  const settings = { EXECUTOR_URL: 'http://127.0.0.1:8082', CACHE_PURGE: 'fastly://service' }
  const { url, globals } = await useNetwork()
  const database = { DATABASE_URL: url, TABLE_PREFIX: globals.basePrefix, LOG_LEVEL: 'silent' }
  const [, list = ''] = /^UnsetEnvironment=(.*)$/m.exec(unitOf('wp-frames-migrate.service')) ?? []
  const unset = list.split(' ')
  const left = Object.entries(settings).filter(([name]) => !unset.includes(name))
  const ran = await runCommand(['migrate'], { ...Object.fromEntries(left), ...database })
  expect(ran).toEqual({ code: 0, stdout: 'Nothing to do.\n', stderr: '' })
  for (const [name, value] of Object.entries(settings))
    expect(await runCommand(['migrate'], { [name]: value, ...database })).toMatchObject({ code: 1 })
})

it('the further secrets are those of the settings that no unit has', () => {
  const commented = textOf(`${FOLDER}/secrets.conf`)
  const loaded = [
    ...commented.matchAll(
      /^#LoadCredential=([a-z-]+):\/etc\/wp-frames\/secrets\/\1\n#Environment=([A-Z_]+)_FILE=%d\/\1$/gm,
    ),
  ]
  const [, block = ''] =
    /# Secrets\..*\n([\s\S]*?)\n\n/.exec(textOf(`${FOLDER}/wp-frames.env`)) ?? []
  const secrets = [...block.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(loaded.map(([, , name]) => name).toSorted()).toEqual(
    secrets.filter((name) => name !== 'DATABASE_URL').toSorted(),
  )
})

describe('the health check', () => {
  /** Runs it with these settings. @returns its exit code and its errors */
  async function check(env: Record<string, string>, ...args: string[]) {
    const child = spawn(process.execPath, [join(ROOT, 'ops/healthcheck.mjs'), ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    const [code] = await once(child, 'exit')
    return { code, errors }
  }

  it('is passed if one of the ports answers, and names both otherwise', async () => {
    const { port, close } = await listen((_, response) => void response.end())
    const nothing = String(await freePort())
    expect(await check({ PORT: nothing, FRONT_PORT: String(port) })).toMatchObject({ code: 0 })
    expect(await check({ PORT: String(port), FRONT_PORT: nothing, HOST: '0.0.0.0' })).toMatchObject(
      { code: 0 },
    )
    await close()
    const { code, errors } = await check({ PORT: nothing, FRONT_PORT: String(port) })
    expect(code).toBe(1)
    expect(errors).toContain(nothing)
    expect(errors).toContain(String(port))
  })

  it('waits for a process that starts', async () => {
    const port = await freePort()
    const nothing = String(await freePort())
    const waiting = check({ PORT: String(port), FRONT_PORT: nothing }, '--wait', '60')
    await sleep(300)
    const { close } = await listen((_, response) => void response.end(), port)
    expect(await waiting).toMatchObject({ code: 0 })
    await close()
    expect(await check({}, '--wiat')).toMatchObject({ code: 2 })
  })

  it('does not wait for a process that has ended', async () => {
    const nothing = { PORT: String(await freePort()), FRONT_PORT: String(await freePort()) }
    const running = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'])
    const since = performance.now()
    const waiting = check({ ...nothing, MAINPID: String(running.pid) }, '--wait', '60')
    await sleep(1500)
    running.kill()
    expect(await waiting).toMatchObject({ code: 1 })
    expect(performance.now() - since).toBeGreaterThan(1500)
    expect(performance.now() - since).toBeLessThan(15_000)
  })
})
