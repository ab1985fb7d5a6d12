import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * The house rules, held by a test. A room may import rooms of a lower rank; its own rank's
 * neighbours and higher ranks never.
 */
const RANKS: Record<string, number> = {
  'errors.ts': 0,
  'change.ts': 0,
  'hash.ts': 0,
  'preconditions.ts': 0,
  'log.ts': 0,
  'metrics.ts': 0,
  concurrency: 0,
  config: 0,
  db: 1,
  'health.ts': 1,
  wordpress: 2,
  markup: 2,
  frames: 3,
  menus: 3,
  auth: 3,
  baking: 4,
  publishing: 4,
  executor: 5,
  doctor: 6,
  api: 7,
  front: 7,
  cli: 7,
  'http-server.ts': 7,
  'services.ts': 8,
  'main.ts': 8,
  'run-process.ts': 0,
}

/** Rank 0 files are leaves, but for the words they share. */
const SHARED_WORDS = new Set(['errors.ts', 'change.ts'])

/** What a pattern matches may stand only in these rooms (a file or a folder of `src/`). */
const ONLY_HERE: { what: string; pattern: RegExp; rooms: string[] }[] = [
  { what: 'process.env', pattern: /process\.env/, rooms: ['config'] },
  { what: 'express', pattern: /from 'express'/, rooms: ['api', 'front', 'executor/server'] },
  { what: 'the command parser', pattern: /from 'commander'/, rooms: ['cli'] },
  { what: 'PHP serialization', pattern: /from 'php-serialize'/, rooms: ['wordpress'] },
  { what: 'the SQL driver', pattern: /from '(?:mysql2|knex)/, rooms: ['db'] },
  {
    what: 'the file system',
    pattern: /from 'node:fs/,
    // Site files are publishing's. The others read the project's own files or the private server's.
    rooms: ['publishing', 'db', 'cli', 'api/docs'],
  },
]

const MAX_LINES = 400
const SRC = resolve(import.meta.dirname, '../src')
const ROOT = resolve(SRC, '..')

const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))

const inSrc = (file: string): string => relative(SRC, file)
const roomOf = (file: string): string => inSrc(file).split('/')[0] ?? ''
const textOf = (file: string): string => readFileSync(file, 'utf8')

const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/(?:from|import)\s+'(\.[^']+)'/g)].map((match) =>
    resolve(dirname(file), match[1] ?? ''),
  )

const sources = filesOf('src')

describe('the house', () => {
  it('gives every source file a room', () => {
    expect(
      sources.map(inSrc).filter((file) => RANKS[file.split('/')[0] ?? ''] === undefined),
    ).toEqual([])
  })

  it('lets a room import only what stands below it', () => {
    const wrong: string[] = []
    for (const file of sources) {
      for (const target of importsOf(file)) {
        const [from, to] = [roomOf(file), roomOf(target)]
        if (from === to || SHARED_WORDS.has(to)) continue
        if ((RANKS[from] ?? 0) === 8 && (RANKS[to] ?? 0) === 8) continue
        if ((RANKS[to] ?? 99) >= (RANKS[from] ?? 0))
          wrong.push(`${inSrc(file)} -> ${inSrc(target)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('has no import cycle', () => {
    const cycles: string[] = []
    const done = new Set<string>()
    const visit = (file: string, path: string[]): void => {
      const at = path.indexOf(file)
      if (at >= 0) cycles.push([...path.slice(at), file].map(inSrc).join(' -> '))
      if (at >= 0 || done.has(file)) return
      for (const target of importsOf(file))
        if (target.endsWith('.ts')) visit(target, [...path, file])
      done.add(file)
    }
    for (const file of sources) visit(file, [])
    expect(cycles).toEqual([])
  })

  it.each(ONLY_HERE)('keeps $what in its room', ({ pattern, rooms }) => {
    const elsewhere = sources
      .map(inSrc)
      .filter((file) => pattern.test(textOf(join(SRC, file))))
      .filter((file) => !rooms.some((room) => file === `${room}.ts` || file.startsWith(`${room}/`)))
    expect(elsewhere).toEqual([])
  })

  it('names what it exports', () => {
    expect(sources.filter((file) => /^export default/m.test(textOf(file))).map(inSrc)).toEqual([])
  })

  it(`keeps every file under ${MAX_LINES} lines`, () => {
    const long = [...sources, ...filesOf('test')]
      .map((file) => ({ file: relative(ROOT, file), lines: textOf(file).split('\n').length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES)
    expect(long).toEqual([])
  })

  it('has no drawer for anything', () => {
    expect(
      sources
        .map(inSrc)
        .filter((file) => /(^|\/)(utils?|helpers?|common|lib)(\/|\.ts$)/.test(file)),
    ).toEqual([])
  })
})
