import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHAPTERS } from '../../tools/docs/navigation.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const guide = (name: string): string => readFileSync(join(ROOT, 'docs', name), 'utf8')
const texts = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'))

/** Pages that refer to the code. */
const CODE_PAGES = [
  'docs/architecture.md',
  'docs/consistency.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('README.md'))
    .map((name) => `src/${name}`),
]
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))

describe('the guides', () => {
  it('stay short for those who use the service: 45,000 by `wc -w`, without bars', () => {
    const pages = CHAPTERS.filter(({ isSearched }) => isSearched).flatMap(({ pages }) => pages)
    // Bars and lines of tables do not count.
    const pieces = pages.flatMap(
      ([name]) => guide(`${name}.md`).match(/[^\s|]*[\p{L}\p{N}][^\s|]*/gu) ?? [],
    )
    expect(pieces.length).toBeLessThanOrEqual(45_000)
  })

  it('document every table of the service', () => {
    const folder = join(ROOT, 'sql/migrations')
    const statements = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    const named = (pattern: RegExp) =>
      new Set(statements.flatMap((text) => text.match(pattern) ?? []))
    const dropped = named(/(?<=DROP TABLE IF EXISTS `\{prefix\})svc_\w+/g)
    const tables = [...named(/(?<=\{prefix\})svc_\w+/g)].filter((table) => !dropped.has(table))
    expect(tables.length).toBeGreaterThan(3)
    const page = readFileSync(join(ROOT, 'src/README.md'), 'utf8')
    for (const table of tables) expect(page).toContain(`| \`${table}\` |`)
  })

  /** Nobody owns `wp-frames` and `@wp-frames/client` in a registry yet, so anybody could publish programs there. */
  it.each(texts)('%s installs nothing by a name that is not ours', (name) => {
    const text = readFileSync(join(ROOT, name), 'utf8')
    expect(text).not.toMatch(/npm (?:install|i|add) (?:-\S+ )*@?wp-frames|"command": "npx"/)
  })

  it.each(CODE_PAGES)('%s names files, functions and types that exist', (name) => {
    const text = readFileSync(join(ROOT, name), 'utf8')
    const paths = [
      ...text.matchAll(
        /(?<![\w/.-])(?:src|test|sql|tools|compat|demo|docker)\/[\w./-]*\w(?![\w/<-])/g,
      ),
    ]
    expect(paths.map(([path]) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    const names = [...text.matchAll(/`(\w+)\(\)`|`([A-Z][a-z]\w*)`/g)].map(
      ([, called, type]) => called ?? type ?? '',
    )
    const isDeclared = (name: string): boolean =>
      sources.some((source) =>
        new RegExp(`\\b(?:function\\*?|const|class|type) ${name}\\b`).test(source),
      )
    expect(names.filter((name) => !isDeclared(name))).toEqual([])
  })

  it('are all listed on the index page', () => {
    const names = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
    for (const name of names)
      if (name !== 'index.md') expect(guide('index.md')).toContain(`(${name})`)
  })
})
