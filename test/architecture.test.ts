import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')
/** A reader sees a family of endpoints, or all intervals, at once; longer than this, nobody does. */
const MAX_LINES = 600

const TABLE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')

/** The folders of `src/`. */
const ROOMS = [...TABLE.matchAll(/^\| \*\*(\w+)\*\* \|/gm)].map(([, name = '']) => name)

/** The position of each part (a file or folder) in the table of docs/architecture.md: a part may import those above it. */
const POSITIONS: ReadonlyMap<string, number> = new Map(
  [...TABLE.matchAll(/^\| \| `([\w./-]+)` \|/gm)].map(([, name = ''], position) => [
    name,
    position,
  ]),
)

/** Imports and globals that only these modules may use. */
const RESTRICTED: { what: string; pattern: RegExp; modules: string[] }[] = [
  { what: 'process.env', pattern: /process\.env/, modules: ['host/config'] },
  {
    what: 'express',
    pattern: /from 'express'/,
    modules: ['api', 'build/front', 'build/executor/server'],
  },
  { what: 'the command parser', pattern: /from 'commander'/, modules: ['cli'] },
  { what: 'the SQL driver', pattern: /from '(?:mysql2|knex)/, modules: ['db'] },
  {
    what: 'the binlog reader',
    pattern: /from '@vlasky\/zongji'/,
    modules: ['changes/feed/binlog-reader'],
  },
  { what: 'OpenTelemetry', pattern: /from '@opentelemetry\//, modules: ['host/trace'] },
  { what: 'the OpenAPI document', pattern: /from '.*\/docs\/openapi/, modules: ['api/docs'] },
  { what: 'the MCP SDK', pattern: /from '@modelcontextprotocol\//, modules: ['api/mcp'] },
  {
    what: 'the file system',
    pattern: /from 'node:fs/,
    // Files of sites belong to publishing. The other modules read the project's own files, and those that settings name.
    modules: [
      'build/publishing',
      'db',
      'cli',
      'host/config/secrets',
      'api/docs',
      'api/console',
      'host/node-version',
      'host/package-version',
      'host/stop-limit',
    ],
  },
  { what: 'texts of dates', pattern: /toISOString\(\)\s*\.slice/, modules: ['db/gmt'] },
  {
    // Node's recursive mkdir never ends where mkdir answers ENOENT below an existing folder; see makeFolder.
    what: 'recursive mkdir',
    pattern: /mkdir(?:Sync)?\([^)]*recursive/,
    modules: [],
  },
]

/** Constants of time outside `src/host/timings.ts`, with the reason. */
const TIMES: Readonly<Record<string, string>> = {
  'network/doctor/checks/check-feed.ts ONE_DAY_SECONDS': 'a unit',
  'db/gmt.ts DAY_MS': 'a unit',
  'api/cross-origin.ts MAX_AGE_SECONDS': 'HTTP caching',
  'record/auth/rate-limits.ts WINDOW_SECONDS': 'the minute of RATE_LIMIT_PER_MINUTE',
  'build/front/page-responses.ts PURGED_CACHE_SECONDS': 'part of Cache-Control',
  'host/concurrency/time-slices.ts SLICE_MS': 'time of the main thread',
  'host/concurrency/for-each.ts MAX_BLOCK_MS': 'time of the main thread',
  'changes/feed/binlog-stream.ts MAX_BLOCK_MS': 'time of the main thread',
}

/** Made of the descriptions of endpoints. */
const GENERATED = 'src/cli/derived/commands.ts'

/** Modules that read the values of production, not those that they are given. */
const READ_PRODUCTION: Readonly<Record<string, string>> = {
  'main.ts': 'gives them to the services',
  'host/errors.ts': 'the contract of the API names them',
  'api/docs/openapi-operation.ts': 'the contract of the API names them',
  'api/endpoints/changes.ts': 'the contract of the API names them',
  'api/endpoints/deliveries.ts': 'the contract of the API names them',
  'api/endpoints/preview.ts': 'the contract of the API names them',
  'api/endpoints/webhooks.ts': 'the contract of the API names them',
  'api/mcp/own-tools.ts': 'the contract of the API names them',
  'content/diff/state-diffs.ts': 'budget of a computation without I/O',
  'network/plan/plan-context.ts': 'budget of a computation without I/O',
}

const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/node_modules/'))

const inSrc = (file: string): string => relative(SRC, file)

/** The part that a file is in: its room, unless its folder within the room has a position of its own. */
function partOf(file: string): string {
  const [room = '', folder = ''] = inSrc(file).split('/')
  return POSITIONS.has(`${room}/${folder}`) ? `${room}/${folder}` : room
}

const textOf = (file: string): string => readFileSync(file, 'utf8')

/** What the group of a pattern matches in a file. */
const matchesIn = (file: string, pattern: RegExp): string[] =>
  [...textOf(file).matchAll(pattern)].map(([, name = '']) => name)

const importsOf = (file: string): string[] =>
  matchesIn(file, /(?:from|import)\s+'(\.[^']+)'/g).map((name) => resolve(dirname(file), name))

const sources = filesOf('src')
/** The package for stores. */
const storeSources = filesOf('packages/store-s3/src')
/** The package for the move from an old endpoint. */
const migrationSources = filesOf('packages/migration/src')
/** The package for serialized values. */
const serializedSources = filesOf('packages/php-serialized/src')
const packageSources = [...storeSources, ...migrationSources, ...serializedSources]

describe('the architecture', () => {
  it('has ten rooms, with a position for each part', () => {
    expect(ROOMS).toHaveLength(10)
    const folders = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map(({ name }) => name).sort()).toEqual([...ROOMS].sort())
    expect([...new Set(sources.map(partOf))].sort()).toEqual([...POSITIONS.keys()].sort())
  })

  it('lists the parts of a room together', () => {
    const roomOf = (part: string): number => {
      const at = ROOMS.indexOf(part.split('/')[0] ?? '')
      return at < 0 ? ROOMS.length : at
    }
    const rooms = [...POSITIONS.keys()].map(roomOf)
    expect(rooms).toEqual([...rooms].sort((a, b) => a - b))
  })

  it('lets a part import only parts above it', () => {
    const positionOf = (file: string): number => POSITIONS.get(partOf(file)) ?? Number.NaN
    const violations = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => partOf(target) !== partOf(file))
        .filter((target) => !(positionOf(target) < positionOf(file)))
        .map((target) => `${inSrc(file)} -> ${inSrc(target)}`),
    )
    expect(violations).toEqual([])
  })

  it('has no import cycle', () => {
    const cycles: string[] = []
    const done = new Set<string>()
    const follow = (file: string, path: string[]): void => {
      const at = path.indexOf(file)
      if (at >= 0) cycles.push([...path.slice(at), file].map(inSrc).join(' -> '))
      if (at >= 0 || done.has(file)) return
      for (const target of importsOf(file))
        if (target.endsWith('.ts')) follow(target, [...path, file])
      done.add(file)
    }
    for (const file of sources) follow(file, [])
    expect(cycles).toEqual([])
  })

  it.each(RESTRICTED)('restricts $what to its modules', ({ pattern, modules }) => {
    const violations = sources
      .map(inSrc)
      .filter((file) => pattern.test(textOf(join(SRC, file))))
      .filter(
        (file) => !modules.some((name) => file === `${name}.ts` || file.startsWith(`${name}/`)),
      )
    expect(violations).toEqual([])
  })

  it("names no table of the service in WordPress's module", () => {
    const named = sources
      .filter((file) => partOf(file) === 'wordpress')
      .flatMap((file) => [...textOf(file).matchAll(/svc_\w+/g)].map(([name]) => name))
    // A setting that administrators make in WordPress.
    expect([...new Set(named)]).toEqual(['svc_polylang'])
  })

  it('keeps the demo and the tests out of the service', () => {
    const violations = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith(`${SRC}/`) && !target.endsWith('package.json'))
        .map((target) => `${inSrc(file)} -> ${relative(ROOT, target)}`),
    )
    expect(violations).toEqual([])
  })

  it('keeps the client apart from the service', () => {
    const imported = filesOf('packages/client/src').flatMap((file) =>
      matchesIn(file, /^(?:import|export|\}).* from '([^']+)'$/gm),
    )
    const foreign = imported.filter((name) => !/^\.\/[\w-]+\.ts$/.test(name))
    expect(new Set(foreign)).toEqual(new Set(['openapi-fetch']))
  })

  it('keeps the package for serialized values apart, behind one index', () => {
    const imported = serializedSources.flatMap((file) => matchesIn(file, /from '([^']+)'/g))
    expect(imported.filter((name) => !/^\.\/[\w-]+\.ts$/.test(name))).toEqual([])
    expect(sources.filter((file) => /php-serialized\//.test(textOf(file)))).toEqual([])
  })

  it('loads the package for stores in one module, when a store is named', () => {
    const named = sources.filter((file) => /#store-s3|store-s3\/|aws4fetch'/.test(textOf(file)))
    expect(named.map(inSrc)).toEqual(['build/publishing/open-copy-store.ts'])
    expect(textOf(named[0] ?? '')).not.toMatch(/from '#store-s3'/)
  })

  it('loads the package for the move when a setting or a command needs it', () => {
    const loads = sources.filter((file) => /import\('#migration\//.test(textOf(file)))
    expect(loads.map(inSrc).sort()).toEqual(['cli/commands.ts', 'services.ts'])
    const imports = sources.filter((file) => /^import (?!type ).*'#migration/m.test(textOf(file)))
    expect(imports.map(inSrc)).toEqual([])
  })

  it('lets the package for stores import `build/publishing` and what is above it', () => {
    const imported = storeSources.flatMap((file) => matchesIn(file, /(?:from |import\()'([^']+)'/g))
    const files = imported.flatMap((name) => /^#wp-frames\/(.+)/.exec(name)?.[1] ?? [])
    const positionOf = (file: string) => POSITIONS.get(partOf(join(SRC, file))) ?? 1e9
    const last = positionOf('build/publishing/')
    expect(files.filter((file) => positionOf(file) > last)).toEqual([])
    expect(imported.filter((name) => name.startsWith('..'))).toEqual([])
  })

  it('has its intervals, leases and time limits in one value', () => {
    const constant = /const (\w+_(?:MS|SECONDS|MINUTES|HOURS|DAYS))\b(?: *:[^=]+)? = (?!new |\/)/g
    const found = sources
      .map(inSrc)
      .filter((file) => file !== 'host/timings.ts')
      .flatMap((file) => matchesIn(join(SRC, file), constant).map((name) => `${file} ${name}`))
    expect(found.sort()).toEqual(Object.keys(TIMES).sort())
    const readers = sources
      .filter((file) => /(?:import|const) \{ TIMINGS\b/.test(textOf(file)))
      .map(inSrc)
    expect(readers.sort()).toEqual(Object.keys(READ_PRODUCTION).sort())
  })

  it('has no default export', () => {
    expect(sources.filter((file) => /^export default/m.test(textOf(file))).map(inSrc)).toEqual([])
  })

  it(`limits every file to ${MAX_LINES} lines`, () => {
    const long = [...sources, ...packageSources, ...filesOf('test')]
      .map((file) => ({ file: relative(ROOT, file), lines: textOf(file).split('\n').length - 1 }))
      .filter(({ file, lines }) => lines > MAX_LINES && file !== GENERATED)
    expect(long).toEqual([])
  })

  it('gives no two types the same name', () => {
    const names = [...sources, ...packageSources].flatMap((file) =>
      matchesIn(file, /^(?:export )?(?:type|class|interface) (\w+)/gm),
    )
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('has no file or folder named after nothing in particular', () => {
    expect(
      sources
        .map(inSrc)
        .filter((file) => /(^|\/)(utils?|helpers?|common|lib)(\/|\.ts$)/.test(file)),
    ).toEqual([])
  })
})
