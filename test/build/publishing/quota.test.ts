import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { publishCopies } from '../../../src/build/publishing/publish-copies.ts'
import { SHOP, shown, usePublishingFixture } from './publishing-fixture.ts'
import { IS_STORE } from './test-target.ts'

let version = 0
const shop = await usePublishingFixture()
afterEach(() => shop.clear())

const nextVersion = () => {
  version += 1
  return version
}

/** Characters that cannot be compressed by much. */
const noise = (bytes: number): string =>
  Array.from(randomBytes(bytes), (byte) => String.fromCharCode(33 + (byte % 94))).join('')

describe('the quota', () => {
  const text = (character: string, bytes: number) => character.repeat(bytes)
  /** A store counts compressed bytes, a folder those of all forms. */
  const dense = (character: string, bytes: number) =>
    IS_STORE ? noise(bytes) : text(character, bytes)

  it('refuses copies that would exceed it, and removes their old ones', async () => {
    const options = { quotaBytes: 3000 }
    const first = await shop.publish(
      nextVersion(),
      [
        shown(7, 'a/', dense('a', 1400)),
        shown(8, 'b/', dense('b', 1400)),
        shown(9, 'c/', dense('c', 1400)),
      ],
      options,
    )
    expect([7, 8, 9].map((page) => first.outcomes.get(page))).toEqual([
      { state: 'written', formerUrl: undefined },
      { state: 'written', formerUrl: undefined },
      { state: 'quota', formerUrl: undefined },
    ])
    const second = await shop.publish(
      nextVersion(),
      [shown(8, 'b/', dense('B', 2500)), shown(9, 'c/', dense('c', 1400))],
      options,
    )
    expect(second.outcomes.get(8)).toEqual({ state: 'quota', formerUrl: `${SHOP}b/` })
    expect(await shop.read(shop.folder('b'))).toBeUndefined()
    expect([...(await shop.records()).keys()]).toEqual([7])
    const third = await shop.publish(nextVersion(), [shown(9, 'c/', dense('c', 1400))], options)
    expect(third.outcomes.get(9)).toMatchObject({ state: 'written' })
  })

  it('accepts a copy that does not grow, even beyond it', async () => {
    await shop.publish(nextVersion(), [shown(7, 'a/', text('a', 5000))])
    const options = { quotaBytes: 1000 }
    const same = await shop.publish(nextVersion(), [shown(7, 'a/', text('b', 5000))], options)
    expect(same.outcomes.get(7)).toMatchObject({ state: 'written' })
    const fresh = await shop.publish(nextVersion(), [shown(7, 'a/', text('b', 5000))], options)
    expect(fresh.outcomes.get(7)).toMatchObject({ state: 'kept' })
  })

  it('counts what other calls for the same publication have written, also at the same time', async () => {
    const open = await shop.openPublication()
    const context = { ...shop.contextOf(open, 9), quotaBytes: 3000 }
    const published = await Promise.all(
      [1, 2, 3, 4].map((page) =>
        publishCopies(context, [shown(page, `p${page}/`, dense(`${page}`, 1400))]),
      ),
    )
    const count = published
      .flatMap(({ outcomes }) => [...outcomes.values()])
      .filter(({ state }) => state === 'written').length
    expect(count).toBe(2)
    await open.publication.writer.end()
  })
})
