import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TEST_FOLDERS, tierOf } from './support/tiers.ts'

const ROOT = resolve(import.meta.dirname, '..')
const files = TEST_FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules/'))
    .map((file) => `${folder}/${file}`),
)

/** What a file of the first tier may not reach: programs are started with these modules. */
const STARTERS = ['node:child_process', 'playwright-core', '@aws-sdk/credential-provider-node']

/** The modules that a file imports when it is loaded; those that it only takes types from do not count. */
const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(ROOT, file), 'utf8').matchAll(
      /^(?:import|export) (?!type )([^'"]*?)\s*from '([^']+)'/gms,
    ),
  ]
    .filter(([, names = '']) => !/^\{(?:\s*type [^,}]+,?)+\s*\}$/.test(names.trim()))
    .map(([, , from = '']) =>
      from.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), from)) : from,
    )

/** How a test file comes to a module that starts programs, without the way through `src/`, which starts none by itself. */
function wayToStarter(file: string, seen = new Set<string>()): string[] | undefined {
  for (const from of importsOf(file)) {
    if (STARTERS.includes(from)) return [file, from]
    if (seen.has(from) || from.startsWith('src/') || !/^[a-z].*\.ts$/.test(from)) continue
    seen.add(from)
    const way = wayToStarter(from, seen)
    if (way) return [file, ...way]
  }
  return undefined
}

describe('the tier of a test file', () => {
  it('is in its name', () => {
    expect(tierOf('test/api/frames.test.ts')).toBe('fast')
    expect(tierOf('test/api/frames.process.test.ts')).toBe('process')
    expect(tierOf('test/api/frames.other.test.ts')).toBeUndefined()
    expect(files.filter((file) => tierOf(file) === undefined)).toEqual([])
  })

  it('has the tests of each package', () => {
    const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/test`)
    expect(packages.filter((folder) => existsSync(join(ROOT, folder)))).toEqual(
      TEST_FOLDERS.filter((folder) => folder !== 'test'),
    )
  })

  it('is no matter of the benchmark and the torture run, which are programs', () => {
    expect(files.filter((file) => /^test\/(?:bench|torture)\//.test(file))).toEqual([])
  })

  it('is not the first if the file can start processes, servers or browsers', () => {
    const ways = files
      .filter((file) => tierOf(file) === 'fast')
      .flatMap((file) => wayToStarter(file)?.join(' -> ') ?? [])
    expect(ways).toEqual([])
  })
})
