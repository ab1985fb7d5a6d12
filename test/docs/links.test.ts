import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, normalize, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorOf } from '../../tools/docs/searched-text.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  )

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...filesIn('docs').filter((path) => extname(path) === '.md'),
]
/** What names pages in messages and comments. */
const PROGRAMS = ['src', 'ops', 'docker']
  .flatMap(filesIn)
  .filter((path) => /\.(?:tsx?|ya?ml|env|example|service|cfg)$|Dockerfile$/.test(path))

const withoutCode = (text: string): string => text.replace(/^ *```.*?^ *```$/gms, '')

const anchors = new Map<string, ReadonlySet<string>>()
function anchorsOf(page: string): ReadonlySet<string> {
  const known = anchors.get(page)
  if (known) return known
  const headings = [...withoutCode(read(page)).matchAll(/^#+ (.+)$/gm)]
  const found = new Set(headings.map(([, text = '']) => anchorOf(text)))
  anchors.set(page, found)
  return found
}

/** Whether there is such a file, and such a heading in it. */
const leadsSomewhere = (path: string, anchor: string | undefined): boolean =>
  existsSync(join(ROOT, path)) && (anchor === undefined || anchorsOf(path).has(anchor))

describe('links', () => {
  it.each(PAGES)('of %s lead to files and headings that exist', (page) => {
    const links = [...withoutCode(read(page)).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    const broken = links.filter(([, target = '', anchor]) => {
      if (/^https?:/.test(target)) return false
      const path = target === '' ? page : normalize(join(dirname(page), target))
      return !leadsSomewhere(path, anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  it('in messages and comments lead to pages and headings that exist', () => {
    const named = PROGRAMS.flatMap((program) => [
      ...read(program).matchAll(
        /(?<![\w./-])docs\/([a-z-]+)\.md(?:#([\w-]+))?|(?<![\w.-])\/docs\/([a-z-]+)(?![\w/-])(?:#([\w-]+))?/g,
      ),
    ])
    const pages = named.map(([, file, anchor, page, heading]) => ({
      page: file ?? page ?? '',
      anchor: anchor ?? heading,
    }))
    expect(pages.length).toBeGreaterThan(30)
    const broken = pages.filter(
      // The reference is made by Swagger UI.
      ({ page, anchor }) => page !== 'reference' && !leadsSomewhere(`docs/${page}.md`, anchor),
    )
    expect(broken).toEqual([])
  })
})
