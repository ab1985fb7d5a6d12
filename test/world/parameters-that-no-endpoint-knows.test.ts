import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api.ts'
import { countReads } from '../support/statements.ts'

/**
 * A client added a random parameter to each read, as scripts do against caches of browsers, and each read was done from the beginning and kept.
 * Right: RFC 9111, section 4: a stored answer is used for the same target; a parameter that changes nothing makes no other answer.
 */
describe('parameters that no endpoint knows', async () => {
  const { network, api } = await useApi()
  const alice = await api.as('alice')
  const count = (path: string) =>
    countReads(network.db, () => alice.get(`/site/2${path}`).expect(200))
  /** Statements of a first read, of a kept one, and of the same with more parameters. */
  const countAll = async (path: string, ...more: string[]) => {
    const first = await count(path)
    // A read that fills other caches is not kept.
    await count(path)
    const kept = await count(path)
    const { size } = network.db.cache
    const counts: number[] = []
    for (const one of more) counts.push(await count(one))
    return { first, kept, counts, added: network.db.cache.size - size }
  }

  it.each([
    ['/frames?limit=3', '/frames?limit=3&r=1', '/frames?r=2&limit=3&constructor=5'],
    ['/menus', '/menus?_=1', '/menus?_=2&%00=3&__proto__=4'],
  ])('%s is read from what is kept', async (path, ...more) => {
    const { first, kept, counts, added } = await countAll(path, ...more)
    expect(kept).toBeLessThan(first)
    expect(counts).toEqual([kept, kept])
    expect(added).toBe(0)
  })

  it('are refused by an endpoint that is not of the contract, which reads nothing', async () => {
    await alice.get('/site/2/completions').expect(200)
    const { size } = network.db.cache
    await alice.get('/site/2/completions?r=1').expect(400)
    expect(network.db.cache.size).toBe(size)
  })

  it('those that it knows make another answer', async () => {
    const { kept, counts, added } = await countAll('/frames?limit=2', '/frames?limit=1')
    expect(counts[0]).toBeGreaterThan(kept)
    expect(added).toBe(1)
  })
})
