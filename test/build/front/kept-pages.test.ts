import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { Bakery } from '../../../src/build/baking/bakery/bakery.ts'
import { useFront } from '../../support/front.ts'
import { statementsOf } from '../../support/statements.ts'

/** A page of the shop, and its path. */
const [PAGE, PATH] = [2, '/shop/sample-page/']

const front = await useFront()
await front.frame(
  2,
  'plain',
  '<h1 data-op-bind="page.title"></h1><!-- svc/menu {"location":"header"} /-->',
)
await front.assign(2, 'plain', [PAGE])
const url = `http://net.test${PATH}`
await rm(join(front.staticDir, 'net.test', PATH), { recursive: true })

it('a page that is rendered on request is kept, until one of its rows changes', async () => {
  const { db } = front.network
  const first = await front.ask(url)
  expect(first.status).toBe(200)
  let second = first
  const statements = await statementsOf(db, async () => {
    second = await front.ask(url)
  })
  expect(second.body).toBe(first.body)
  expect(statements).toHaveLength(1)
  await db.sql('wp_2_posts').where({ ID: PAGE }).update({ post_title: 'Edited by SQL' })
  expect((await front.ask(url)).body).toContain('Edited by SQL')
})

it('a page is kept by a process that has not cached the frames', async () => {
  const { db } = front.network
  db.cache.clear()
  // The first request fills the caches, the second one is kept.
  await front.ask(url)
  await front.ask(url)
  expect(await statementsOf(db, () => front.ask(url))).toHaveLength(1)
})

it('a page that the time limit has cut is not kept', async () => {
  const { db } = front.network
  await db.sql('wp_2_posts').where({ ID: PAGE }).update({ post_title: 'Whole' })
  const inline = vi.spyOn(Bakery.prototype, 'tryInline').mockResolvedValue(undefined)
  const onWorker = vi.spyOn(Bakery.prototype, 'runOnWorker')
  const exhausted = 'milliseconds'
  onWorker.mockResolvedValue({ html: 'cut', unresolved: [], warnings: [], exhausted })
  try {
    expect((await front.ask(url)).body).toBe('cut')
  } finally {
    inline.mockRestore()
    onWorker.mockRestore()
  }
  expect((await front.ask(url)).body).toContain('Whole')
})

it('invented addresses of pages are not kept', async () => {
  const { cache } = front.network.db
  const ask = async (count: number, path: (at: number) => string): Promise<number> => {
    for (let at = 0; at < count; at += 1) await front.ask(`http://net.test${path(at)}`)
    return cache.size
  }
  for (const path of [
    (at: number) => `/shop/none-${at}/`,
    (at: number) => `${PATH}?at=${at}`,
    (at: number) => `/shop/${'SAMPLE-page'.slice(0, at + 1)}${'sample-page'.slice(at + 1)}/`,
  ]) {
    const before = await ask(1, path)
    expect(await ask(10, path)).toBe(before)
  }
})
