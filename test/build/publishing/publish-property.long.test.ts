import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CopyRecord } from '../../../src/build/publishing/copies-table.ts'
import type { WantedCopy } from '../../../src/build/publishing/publish-copies.ts'
import { runsOf } from '../../support/runs-of.ts'
import { hidden, SHOP, shown, usePublishingFixture } from './publishing-fixture.ts'
import { copyFiles } from './test-target.ts'

const shop = await usePublishingFixture()

const PAGES = [1, 2, 3, 4, 5]
/** Nested, and with both forms of one folder. */
const PATHS = ['', 'a/', 'a', 'a/b/', 'a/b/c/', 'd/', '?page_id=1']

/** What happens to pages in one publication. The paths of shown pages are different folders. */
type Step = {
  readonly pages: readonly {
    readonly page: number
    readonly at: number
    readonly html: string | null
  }[]
  /** A page whose files disappear before. */
  readonly lost: number | undefined
  /** The publication ends before its completion, as after a crash, and the same pages are published again. */
  readonly isInterrupted: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  pages: fc.uniqueArray(
    fc.record({
      page: fc.constantFrom(...PAGES),
      at: fc.nat(PATHS.length - 1),
      html: fc.option(fc.constantFrom('one', 'two', 'three')),
    }),
    { selector: ({ page }) => page, minLength: 1 },
  ),
  lost: fc.option(fc.constantFrom(...PAGES), { nil: undefined }),
  isInterrupted: fc.boolean(),
})

const folderName = (path: string) => path.replace(/\/$/, '')
const isPublishable = (path: string) => !path.includes('?')

/** The wanted states, such that no two pages are shown in the same folder. */
function wantedOf({ pages }: Step, shownNow: ReadonlyMap<number, WantedCopy>): WantedCopy[] {
  const taken = new Set(
    [...shownNow].flatMap(([page, { url }]) =>
      pages.some((one) => one.page === page) ? [] : [folderName(url ?? '')],
    ),
  )
  return pages.map(({ page, at, html }) => {
    const path = PATHS[at] ?? ''
    const name = folderName(SHOP + path)
    if (html === null || taken.has(name)) return hidden(page, path)
    taken.add(name)
    return shown(page, path, html)
  })
}

async function expectExactly(copies: ReadonlyMap<number, WantedCopy>): Promise<void> {
  const files = [...copies.values()].flatMap(({ url = '' }) =>
    copyFiles(folderName(url).replace('http://', '')),
  )
  expect(await shop.files()).toEqual(files.sort())
  const records = await shop.records()
  expect([...records.keys()]).toEqual([...copies.keys()].sort())
  const found = [...copies].map(async ([page, { url = '', publication }]) => {
    const copy = await shop.read(shop.locate(folderName(url).replace('http://', '')))
    expect(copy?.html).toBe('html' in publication ? publication.html : '')
    expect(copy?.isWhole).toBe(true)
    expect(copy?.owner).toEqual({ site: 2, page, url })
    const record = records.get(page) as CopyRecord
    expect(record.url).toBe(url)
    expect(record.fileTime).toBe(copy?.fileTime)
  })
  await Promise.all(found)
}

it('publishing leaves exactly the wanted copies on disk, whatever was there before', async () => {
  let version = 0
  const run = async (steps: readonly Step[]) => {
    await shop.clear()
    const copies = new Map<number, WantedCopy>()
    for (const one of steps) {
      const former = one.lost !== undefined ? copies.get(one.lost) : undefined
      const wanted = wantedOf(one, copies)
      // Nobody notices the loss of a copy before its page is published.
      if (former && wanted.some(({ page }) => page === one.lost)) {
        await shop.lose(shop.locate(folderName(former.url ?? '').replace('http://', '')))
      }
      version += 1
      if (one.isInterrupted) {
        const interrupt = () => Promise.reject(new Error('interrupted'))
        const publishing = shop.publish(version, wanted, { beforeCompletion: interrupt })
        await expect(publishing).rejects.toThrow('interrupted')
      }
      const { errors, outcomes } = await shop.publish(version, wanted)
      expect(errors).toEqual(new Map())
      for (const { page, url, publication } of wanted) {
        const isShown = 'html' in publication && isPublishable(url ?? '')
        if (isShown) copies.set(page, wanted.find((one) => one.page === page) as WantedCopy)
        else copies.delete(page)
        expect(outcomes.get(page)?.state === 'none').toBe(!isShown)
      }
      await expectExactly(copies)
    }
  }
  const steps = fc.array(step, { minLength: 1, maxLength: 8 })
  await fc.assert(fc.asyncProperty(steps, run), { numRuns: runsOf(25) })
  expect(await shop.copies.owners()).toEqual([])
}, 240_000)
