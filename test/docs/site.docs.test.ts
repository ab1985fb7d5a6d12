import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { escapeText } from 'entities'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { createProgram } from '../../src/cli/run-cli.ts'
import { commandPages, commandsOf } from '../../tools/docs/command-pages.ts'
import { splitCommandsGuide } from '../../tools/docs/commands-guide.ts'
import { MiniSearch } from '../../tools/docs/mini-search.ts'
import { CHAPTERS } from '../../tools/docs/navigation.ts'
import { SEARCH_OPTIONS } from '../../tools/docs/search.ts'
import { useApi } from '../support/api.ts'
import { FAST } from '../support/timings.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const BASE = '/wp-json/svc/v1'
const DOCS = `${BASE}/docs/`

const built = readdirSync(join(ROOT, 'dist/docs'), { recursive: true, encoding: 'utf8' })
const pages = built
  .filter((name) => name.endsWith('.html'))
  .map((name) => name.replace(/(?:^index)?\.html$/, ''))
const unused = (): never => {
  throw new Error('No command runs here.')
}
const program = await createProgram({ readConfig: unused, openServices: unused, timings: FAST })
const { api } = await useApi({ basePath: BASE })

type Answer = { readonly status: number; readonly text: string }
const answers = new Map<string, Promise<Answer>>()

/** What the API answers at a path. */
function read(path: string): Promise<Answer> {
  const answer =
    answers.get(path) ??
    (async () => {
      const { status, text } = await request(api.url).get(path).buffer(true)
      return { status, text }
    })()
  answers.set(path, answer)
  return answer
}

/** Where the links of a page of the documentation lead, without those to other hosts. */
async function targetsOf(path: string): Promise<URL[]> {
  const { text } = await read(path)
  return [...text.matchAll(/(?:href|src)="([^"]+)"/g)]
    .map(([, address = '']) => new URL(address.replaceAll('&amp;', '&'), `${api.url}${path}`))
    .filter(({ origin }) => origin === api.url)
}

describe('the documentation as a site', () => {
  it.each(pages)('has no broken link, and nothing inline: /%s', async (name) => {
    const targets = await targetsOf(`${DOCS}${name}`)
    expect(targets.length).toBeGreaterThan(3)
    for (const { pathname, hash } of targets) {
      const { status, text } = await read(pathname)
      expect(`${pathname} ${status}`).toBe(`${pathname} 200`)
      if (hash && !hash.startsWith('#/'))
        expect(`${pathname}${hash} ${text.includes(`id="${decodeURI(hash.slice(1))}"`)}`).toBe(
          `${pathname}${hash} true`,
        )
    }
    const { text } = await read(`${DOCS}${name}`)
    expect(text.match(/<script(?![^>]* src=)[^>]*>|<style|<[a-z][^<>]* style="[^"]*"/g)).toBeNull()
    expect(text.includes('/wp-frames-base')).toBe(false)
  })

  it('has each guide in its navigation once', () => {
    const guides = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
    const listed = CHAPTERS.flatMap(({ pages }) => pages.map(([name]) => `${name}.md`))
    expect(['index.md', ...listed].sort()).toEqual(guides.sort())
  })

  /** The pages that a reader gets to with one click in the text or the navigation. */
  const afterClick = async (paths: readonly string[]): Promise<string[]> => {
    const targets = await Promise.all(paths.map(targetsOf))
    return [...new Set(targets.flat().map(({ pathname, hash }) => `${pathname}${hash}`))]
  }

  it.each([
    ['how do I undo', 'history#restore', 'wp-frames restore --site 2'],
    ['how do I undo a run', 'network#roll-back', 'wp-frames rollback'],
    ['which sites differ', 'network#drift', 'wp-frames drift'],
    ['what may this token do', 'history#limited-tokens', 'scope'],
  ])('answers %s within two clicks from its first page', async (_question, target, answer) => {
    const first = await afterClick([DOCS])
    const inFirst = first
      .filter((path) => path.startsWith(DOCS))
      .map((path) => path.split('#')[0] ?? '')
    const second = await afterClick([...new Set(inFirst)].filter((path) => !/\.\w+$/.test(path)))
    const [page = '', anchor = ''] = target.split('#')
    expect([...first, ...second]).toContain(`${DOCS}${target}`)
    const { text } = await read(`${DOCS}${page}`)
    const [section = ''] = text.slice(text.indexOf(`id="${anchor}"`)).split('<h2', 1)
    expect(section.replace(/<[^>]+>/g, '')).toContain(answer)
  })
})

describe('the search', async () => {
  const name = built.find((name) => name.startsWith('assets/chunks/@localSearchIndex')) ?? ''
  const { default: json } = await import(join(ROOT, 'dist/docs', name))
  const index = MiniSearch.loadJSON(json, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: SEARCH_OPTIONS,
  })
  /** The page and the section that the search lists first, such as `history#restore`. */
  const firstHit = (question: string): string =>
    String(index.search(question)[0]?.id).replace(/^.*\/docs\//, '')

  it.each([
    ['what is a frame', 'start#what-is-a-frame'],
    ['run the tests', 'start#run-the-tests'],
    ['language switcher', 'markup#svclang-switcher'],
    ['repeat rows', 'markup#svcrepeat'],
    ['preview a page', 'editing#preview'],
    ['page is 404', 'operating#a-page-is-404'],
    ['how do I undo a change', 'history#restore'],
    ['who changed a frame', 'history#who-changed-what'],
    ['limit a token to a site', 'history#limited-tokens'],
    ['roll back a run', 'network#roll-back'],
    ['plan for many sites', 'network'],
    ['idempotency', 'http#idempotency'],
    ['conditional write', 'http#conditional-writes'],
    ['rate limit', 'client#the-rate-limit'],
    ['webhook signature', 'events#a-message-and-its-signature'],
    ['agent mcp', 'agents'],
    ['rename a frame', 'commands/frames-rename'],
    ['create frame endpoint', 'endpoints#create-a-frame'],
    ['install', 'install#install'],
    ['upgrade', 'operating#upgrade'],
    ['environment variables', 'configuration#configuration'],
    ['docker', 'scale-and-caches#docker'],
    ['purge varnish', 'scale-and-caches#varnish'],
    ['backup', 'security#backup'],
    ['restore the database', 'security#restore-the-whole-database'],
  ])('answers "%s" by its first hit', (question, section) => {
    expect(firstHit(question).slice(0, section.length)).toBe(section)
  })

  it('leaves out the pages of contributors and the lists of pages', () => {
    for (const question of ['architecture', 'consistency', 'glossary', 'wp-frames'])
      for (const { id } of index.search(question))
        expect(id).not.toMatch(/\/docs\/(?:architecture|consistency|glossary)?(?:#|$)/)
  })
})

describe('the pages of the commands', () => {
  const commands = commandsOf(program)

  it.each(commands.map(({ name }) => name))('say what --help says: %s', async (name) => {
    const { text } = await read(`${DOCS}commands/${name.replaceAll(' ', '-')}`)
    const { command } = commands.find((one) => one.name === name) ?? {}
    expect(text).toContain(`<h1 id="${name.replaceAll(' ', '-')}"`)
    for (const { flags, hidden } of command?.options ?? [])
      if (!hidden) expect(text).toContain(`<code>${escapeText(flags)}</code>`)
    const { text: list } = await read(`${DOCS}commands`)
    expect(list).toContain(`href="${DOCS}commands/${name.replaceAll(' ', '-')}"`)
  })

  it('show the examples of the help', () => {
    const greet = new Command('greet')
      .description('greet somebody')
      .option('--often <times>', 'how often', '2')
      .addHelpText(
        'after',
        '\nExamples:\n  $ wp-frames greet Ada\n  $ wp-frames greet   # asks\n\nMore about it.',
      )
    const example = new Command('wp-frames').addCommand(greet)
    const [first] = commandPages(example, new Map([['greet', 'A note.']])).values()
    expect(first).toContain('A note.')
    expect(first).toContain(
      '## Examples\n\n```sh\nwp-frames greet Ada\nwp-frames greet   # asks\n```',
    )
    expect(first).toContain('```text\nMore about it.\n```')
    expect(first).toContain('- `--often <times>`: how often (default: `2`)')
  })

  it('have notes on commands that exist', () => {
    const { notes } = splitCommandsGuide(readFileSync(join(ROOT, 'docs/commands.md'), 'utf8'))
    const names = commands.map(({ name }) => name)
    expect(notes.size).toBeGreaterThan(10)
    expect([...notes.keys()].filter((name) => !names.includes(name))).toEqual([])
  })
})

describe('the root of the API', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  it.each(['/', `${BASE}/`])('shows a browser where to go: %s', async (path) => {
    const { text } = await request(api.url).get(path).set('Accept', browser).expect(200)
    const targets = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, target]) => target)
    expect(targets).toEqual(
      ['console/', 'docs/', 'docs/reference', 'openapi.json'].map((name) => `${BASE}/${name}`),
    )
    for (const target of targets) await request(api.url).get(`${target}`).expect(200)
  })

  it.each(['*/*', 'application/json', ''])('answers programs in JSON: %s', async (accept) => {
    const { status, body } = await request(api.url).get(`${BASE}/`).set('Accept', accept)
    expect([status, body.code]).toEqual([404, 'rest_no_route'])
  })
})
