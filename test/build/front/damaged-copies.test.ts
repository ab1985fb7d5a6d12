import { readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { StaticCopyCache } from '../../../src/build/publishing/static-copy-cache.ts'
import { type Address, parsePageUrl } from '../../../src/wordpress/permalinks/address.ts'
import { useFront } from '../../support/front.ts'

const ABOUT = 'http://net.test/shop/about-us/'
/** Another one in each test, so that its copy is written again. */
let HTML = ''

const front = await useFront()
let count = 0
beforeEach(async () => {
  count += 1
  HTML = `<p>${`text ${count} of a page `.repeat(100)}</p>`
  await front.frame(2, 'page', HTML)
  await front.assign(2, 'page', [7])
})

const at = (name: string) => join(front.staticDir, 'net.test/shop/about-us', name)

/** Changes a file, with its former modification time. */
function damage(name: string, change: () => void): void {
  const { atime, mtimeMs } = statSync(at(name))
  change()
  // Fractions of microseconds are cut off.
  utimesSync(at(name), atime, (Math.round(mtimeMs * 1000) + 0.5) / 1e6)
}

function flip(name: string): void {
  damage(name, () => {
    const bytes = readFileSync(at(name))
    const middle = Math.floor(bytes.length / 2)
    bytes[middle] = (bytes[middle] ?? 0) ^ 4
    writeFileSync(at(name), bytes)
  })
}

const HTML_DAMAGE: readonly (readonly [string, () => void])[] = [
  ['is empty', () => truncateSync(at('index.html'), 0)],
  [
    'is empty, with its former time',
    () => damage('index.html', () => truncateSync(at('index.html'), 0)),
  ],
  ['is truncated', () => truncateSync(at('index.html'), 100)],
  [
    'is truncated, with its former time',
    () => damage('index.html', () => truncateSync(at('index.html'), 100)),
  ],
  ['was replaced', () => writeFileSync(at('index.html'), '<p>other</p>')],
  ['has a flipped bit', () => flip('index.html')],
]

describe('a visitor', () => {
  it.each(HTML_DAMAGE)('gets the rendered page if the copy %s', async (_, change) => {
    change()
    for (const coding of ['identity', 'gzip', 'br']) {
      const answer = await front.ask(ABOUT, { headers: { 'accept-encoding': coding } })
      expect(answer).toMatchObject({ status: 200 })
      if (coding === 'identity') expect(answer.body).toBe(HTML)
    }
  })

  it.each(HTML_DAMAGE)('gets it too if the copy was in memory and then %s', async (_, change) => {
    expect((await front.ask(ABOUT)).body).toBe(HTML)
    change()
    expect((await front.ask(ABOUT)).body).toBe(HTML)
  })

  it.each(['gz', 'br'])('gets another form if that in .%s is damaged', async (form) => {
    flip(`index.html.${form}`)
    const coding = form === 'gz' ? 'gzip' : 'br'
    const answer = await front.ask(ABOUT, { headers: { 'accept-encoding': coding } })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.body).toBe(HTML)
  })
})

describe('the copies in memory', () => {
  const find = (onDamage: (paths: readonly string[]) => void = () => {}) =>
    new StaticCopyCache(front.staticDir, { onDamage }).find(parsePageUrl(ABOUT) as Address)

  it('report damaged files once, by their paths in the folder', async () => {
    flip('index.html.gz')
    const reports: unknown[] = []
    const copies = new StaticCopyCache(front.staticDir, {
      onDamage: (paths) => reports.push(paths),
    })
    for (let times = 0; times < 3; times += 1) await copies.find(parsePageUrl(ABOUT) as Address)
    expect(reports).toEqual([['net.test/shop/about-us/index.html.gz']])
  })

  it('contain HTML that is older than its forms: a crash, or a replacement in progress', async () => {
    const later = new Date(Date.now() + 5000)
    utimesSync(at('index.html.gz'), later, later)
    utimesSync(at('index.html.br'), later, later)
    expect([...((await find())?.forms.keys() ?? [])]).toEqual(['identity'])
  })
})
