import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { DERIVED_COMMANDS } from '../../src/cli/derived/commands.ts'
import { createUnused } from '../support/cli.ts'

const whole = await createUnused()
const SRC = resolve(import.meta.dirname, '../../src')

/** The files that Node.js loads before the program runs. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  for (const [, from = ''] of text.matchAll(/^import (?!type )(?:[^'"]*? from )?'(\.[^']+)'/gms)) {
    const path = resolve(dirname(file), from)
    if (existsSync(path) && !seen.has(path)) loadedWith(path, seen)
  }
  return seen
}

/** Commands that work on the host, and call endpoints for a part of their work. */
const OF_OPERATORS = ['doctor/doctor-command.ts']

/** What only the service itself needs, and plain data within it. */
const NEVER_LOADED = /^(?:api|db|build\/executor|network\/plan|services)\b/
const PLAIN = ['api/page-sizes.ts', 'db/gmt.ts', 'network/plan/site-plan.ts']

/** The commands that call endpoints. */
const clients = readdirSync(resolve(SRC, 'cli'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !OF_OPERATORS.includes(file))
  .filter((file) => /\/with-service\.ts'/.test(readFileSync(resolve(SRC, 'cli', file), 'utf8')))

describe('the program', () => {
  it.each(['', 'frames', 'menus', 'token'])(
    'lists commands that it has not loaded as those that it has: %s',
    async (name) => {
      const helpIn = (program: Command) =>
        (program.commands.find((one) => one.name() === name) ?? program).helpInformation()
      expect(helpIn(await createUnused([name]))).toBe(helpIn(whole))
    },
  )

  it.each(DERIVED_COMMANDS.map(({ name }) => name))(
    'has the command of an endpoint: %s',
    (name) => {
      const found = name
        .split(' ')
        .reduce<Command | undefined>(
          (group, part) => group?.commands.find((one) => one.name() === part),
          whole,
        )
      expect(found).toBeDefined()
    },
  )

  it('loads the module of a command in the help of the program too', async () => {
    const options = async (...path: string[]) =>
      (await createUnused(path)).commands
        .find((command) => command.name() === 'sites')
        ?.options.map(({ long }) => long)
    expect(await options('help', 'sites')).toContain('--json')
    expect(await options('sites')).toContain('--json')
    expect(await options('--', 'sites')).toContain('--json')
  })

  it('starts without the modules of commands, the API and the database', () => {
    const loaded = [...loadedWith(resolve(SRC, 'cli/run-cli.ts'))].map((file) =>
      relative(SRC, file),
    )
    expect(
      loaded.filter((file) => /^(?:api|db|wordpress|host\/config|content)\//.test(file)),
    ).toEqual([])
    expect(loaded.length).toBeLessThan(15)
  })

  it.each(clients)('over HTTP, loads neither the API nor the database: %s', (file) => {
    const loaded = [...loadedWith(resolve(SRC, 'cli', file))].map((one) => relative(SRC, one))
    expect(loaded.filter((one) => NEVER_LOADED.test(one) && !PLAIN.includes(one))).toEqual([])
  })
})
