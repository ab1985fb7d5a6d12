import { beforeEach, describe, expect, it } from 'vitest'
import type { Site } from '../../src/wordpress/network/site.ts'
import type { Change } from '../../src/work/change.ts'
import {
  type Claim,
  claimWork,
  countWork,
  failClaim,
  listDueSites,
  listOwners,
  newClaim,
  readClaim,
  renewClaim,
  returnClaim,
  writeWork,
} from '../../src/work/claims.ts'
import {
  addPages,
  assertOwnedPages,
  completeWork,
  type FailedWork,
  noteLateness,
} from '../../src/work/complete-work.ts'
import { MAX_WORK_PER_WRITE, recordChange } from '../../src/work/record-work.ts'
import { type Work, workOn, workOnEmbedders, workOnPage } from '../../src/work/work.ts'
import { workTable } from '../../src/work/work-tables.ts'
import { cloneNetwork } from '../support/network.ts'
import { timed } from '../support/timings.ts'
import { use } from '../support/use.ts'

const network = await use(cloneNetwork())
const site = await network.site(2)
beforeEach(async () => void (await rows().delete()))

const rows = () => network.db.sql(workTable(network.globals))
const recordChangeOn = (on: Site, change: Change) =>
  network.db.write({ site: on }, (tx) => recordChange(tx, on, change))
const record = (work: readonly Work[], on = site) => recordChangeOn(on, { bake: true, work })
const pages = (...ids: number[]) => workOn('page', ids)
const FRAME = workOn('frame', ['f1'])
const claim = async (on = site): Promise<Claim> => {
  const claim = newClaim(on)
  await claimWork(network.db, claim)
  return claim
}
const workOf = async (of: Claim) => (await readClaim(network.db, of)).work.map(thing).sort()
const thing = ({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`.trim()
const complete = (of: Claim, version: number, ...failed: FailedWork[]) =>
  writeWork(network.db, of.site, (tx) => {
    completeWork(tx, of, version, 'others', failed)
    completeWork(tx, of, version, 'pages')
  })
const completePages = (of: Claim, version: number, ...pages: number[]) =>
  writeWork(network.db, of.site, (tx) => {
    assertOwnedPages(tx, of, pages, () => new Error('no pages'))
    completeWork(tx, of, version, 'pages')
  })
const add = async (to: Claim, version: number, added: readonly number[], room: number) => {
  let all: readonly number[] = []
  await writeWork(network.db, site, (tx) => {
    noteLateness(tx, to, version)
    addPages(tx, to, version, { pages: added, room }, ({ pages }) => {
      all = pages
    })
  })
  return [...all]
}
/** Lets the leases and pauses of all rows end. */
const passTime = () => rows().update({ due_at: '2020-01-01' })

describe('recorded work', () => {
  it('has one row for each thing, with the version of the last write', async () => {
    const first = await record([...FRAME, ...workOnEmbedders('f1', ['a'])])
    const second = await record([...FRAME, ...workOn('menus'), ...pages(3), ...FRAME])
    expect(second.version).toBe(first.version + 1)
    const stored = await rows().select('kind', 'name', 'version')
    expect(stored.map((row) => `${thing(row)} ${row.version - first.version}`).sort()).toEqual([
      'embeds a 0',
      'embeds f1 0',
      'frame f1 1',
      'menus 1',
      'page 3 1',
    ])
  })

  it('is nothing if the client wants no build, except for pages that lost their frame', async () => {
    const work = [...FRAME, ...pages(4)]
    expect(await recordChangeOn(site, { bake: false, work })).toMatchObject({ version: 0 })
    expect(await rows()).toEqual([])
    await recordChangeOn(site, { bake: false, work: [...work, workOnPage(3, true)] })
    expect((await rows()).map(thing)).toEqual(['page 3'])
  })

  it('is a single row if a write touches very much', async () => {
    await record(pages(...Array.from({ length: MAX_WORK_PER_WRITE + 1 }, (_, at) => at + 1)))
    expect((await rows()).map(thing)).toEqual(['all'])
  })

  it('is a row for everything if a name does not fit into its column', async () => {
    await record(workOn('dataset', ['x'.repeat(300)]))
    expect((await rows()).map(thing)).toEqual(['all'])
  })

  it('disappears with a transaction that is rolled back', async () => {
    await network.db.write({ site, dryRun: true }, (tx) =>
      recordChange(tx, site, { bake: true, work: workOn('menus') }),
    )
    expect(await rows()).toEqual([])
  })

  it('gets versions in the order of the commits', async () => {
    const versions = await Promise.all(Array.from({ length: 20 }, () => record(pages(1))))
    const sorted = versions.map(({ version }) => version).sort((a, b) => a - b)
    expect(new Set(sorted).size).toBe(20)
    expect((sorted[19] ?? 0) - (sorted[0] ?? 0)).toBe(19)
  })
})

describe('a claim', () => {
  it('leaves kinds of work that a newer version has recorded to processes of that version', async () => {
    const { version } = await record(FRAME)
    const newer = { blog_id: 2, kind: 'newer', name: 'x', version, since: '2026-01-01' }
    await rows().insert({ ...newer, due_at: '2000-01-01' })
    const own = await claim()
    expect(await workOf(own)).toEqual(['frame f1'])
    await complete(own, version)
    expect(await rows().select('kind', 'owner')).toEqual([{ kind: 'newer', owner: null }])
  })

  it('takes the due rows of one site, and no other claim gets them', async () => {
    await record(pages(3, 4))
    await record(pages(2), await network.site(3))
    expect((await listDueSites(network.db, network.globals)).sort()).toEqual([2, 3])
    const first = await claim()
    expect(await workOf(first)).toEqual(['page 3', 'page 4'])
    expect(await workOf(await claim())).toEqual([])
    expect(await listDueSites(network.db, network.globals)).toEqual([3])
    expect([...(await listOwners(network.db, network.globals))]).toEqual([first.id])
  })

  it('takes each row once, however many workers claim at the same time', async () => {
    await record(pages(...Array.from({ length: 900 }, (_, at) => at + 1)))
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim()))
    const taken = (await Promise.all(claims.map(workOf))).flat()
    expect(taken).toHaveLength(900)
    expect(new Set(taken).size).toBe(900)
  })

  it('deletes what was done, and leaves what was touched meanwhile', async () => {
    await record(pages(3, 4))
    const first = await claim()
    const { version } = await readClaim(network.db, first)
    await record(pages(4))
    await completePages(first, version, 3, 4)
    expect((await rows()).map(thing)).toEqual(['page 4'])
    expect(await workOf(await claim())).toEqual(['page 4'])
  })

  it('loses its rows when its lease ends, and cannot complete them then', async () => {
    await record(pages(3))
    const late = await claim()
    const { version } = await readClaim(network.db, late)
    await passTime()
    const next = await claim()
    await expect(completePages(late, version, 3)).rejects.toThrow('no pages')
    expect(await countWork(network.db, site)).toEqual({ pages: 1, frames: 0 })
    await completePages(next, version, 3)
  })

  it('fences the claims whose rows it takes over, before its transaction commits', async () => {
    await record(pages(3, 4))
    const late = await claim()
    await passTime()
    const fenced: (readonly string[])[] = []
    // Whatever happens between the fence and the commit, the next claim fences the late one again.
    const fail = async (ids: readonly string[]) => {
      fenced.push(ids)
      throw new Error('no disk')
    }
    await expect(claimWork(network.db, newClaim(site), { fence: fail })).rejects.toThrow('no disk')
    expect([...(await listOwners(network.db, network.globals))]).toEqual([late.id])
    const fence = async (ids: readonly string[]) => void fenced.push(ids)
    expect(await claimWork(network.db, newClaim(site), { fence })).toBe(2)
    await passTime()
    await claimWork(network.db, newClaim(site), { fence })
    expect(fenced.slice(0, 2)).toEqual([[late.id], [late.id]])
    expect(fenced[2]).not.toContain(late.id)
  })

  it('that cannot fence leaves the late claim to the next one that can', async () => {
    await record(pages(3))
    const late = await claim()
    await passTime()
    const without = await claim()
    await returnClaim(network.db, without, 'The folder is missing.')
    const { version } = await record(pages(4))
    const other = await claim()
    const added = await add(other, version, [3, 4], 9)
    expect(added).toEqual([4])
    const fenced: string[] = []
    const fence = async (ids: readonly string[]) => void fenced.push(...ids)
    await claimWork(network.db, newClaim(site), { fence })
    expect(fenced).toEqual([late.id])
  })

  it('keeps its rows while it is renewed', async () => {
    await record(pages(3))
    const kept = await claim()
    await passTime()
    await renewClaim(network.db, kept)
    expect(await workOf(await claim())).toEqual([])
  })

  it('is due although the clock of the database was set back by an hour', async () => {
    await record(pages(3))
    await claim()
    await rows().update({ due_at: network.db.sql.raw('NOW(6) + INTERVAL 1 HOUR') })
    expect(await workOf(await claim())).toEqual(['page 3'])
  })

  it('takes what clients wrote before what follows from it', async () => {
    const before = await record(pages(1))
    const first = await claim()
    const bulk = Array.from({ length: 800 }, (_, at) => at + 10)
    await add(first, before.version, bulk, 0)
    await record(pages(5))
    expect(await workOf(await claim())).toContain('page 5')
  })
})

describe('a claim of fresh rows', () => {
  it('leaves rows to which another claim had a right', async () => {
    await record(pages(3))
    await claim()
    await passTime()
    await record(pages(4))
    const fresh = newClaim(site)
    expect(await claimWork(network.db, fresh, { onlyFresh: true })).toBe(1)
    expect(await workOf(fresh)).toEqual(['page 4'])
  })
})

describe('added pages', () => {
  it('belong to the claim as far as it has room, and to nobody beyond', async () => {
    const { version } = await record([...workOn('menus'), ...pages(1)])
    const own = await claim()
    const added = await add(own, version, [2, 3, 4], 2)
    expect(added.sort()).toEqual([1, 2, 3])
    expect(await workOf(await claim())).toEqual(['page 4'])
  })

  it('stay with the worker that is working on them, which then does not complete them', async () => {
    await record(pages(3))
    const other = await claim()
    const { version } = await record(workOn('menus'))
    const own = await claim()
    const added = await add(own, version, [3, 4], 9)
    expect(added).toEqual([4])
    await complete(other, version - 1)
    expect(await workOf(await claim())).toEqual(['page 3'])
  })
})

describe('failed work', () => {
  const failure = { kind: 'frame', name: 'f1', message: 'The record is damaged.' } as const

  it('waits longer after each try, with its message', async () => {
    await record([...FRAME, ...workOn('menus')])
    const first = await claim()
    await complete(first, (await readClaim(network.db, first)).version, failure)
    expect(await rows()).toMatchObject([{ tries: 1, error: failure.message, owner: null }])
    expect(await workOf(await claim())).toEqual([])
    await passTime()
    const second = await claim()
    await failClaim(timed(network.db, { work: { backoffMs: 2000 } }), second, 'Again.')
    const [row] = await rows().select('tries', 'error', {
      pause: network.db.sql.raw('TIMESTAMPDIFF(SECOND, NOW(6), due_at)'),
    })
    expect(row).toMatchObject({ tries: 2, error: 'Again.' })
    expect(row?.pause).toBeGreaterThanOrEqual(2)
  })

  it('is due at once when it is touched again', async () => {
    await record(FRAME)
    const first = await claim()
    await complete(first, (await readClaim(network.db, first)).version, failure)
    await record(FRAME)
    expect(await workOf(await claim())).toEqual(['frame f1'])
  })

  it('may be a frame that no row named', async () => {
    await record(workOn('menus'))
    const first = await claim()
    await complete(first, (await readClaim(network.db, first)).version, failure)
    expect((await rows()).map(thing)).toEqual(['frame f1'])
  })

  it('stays with the worker that has taken it over', async () => {
    await record([...FRAME, ...pages(3)])
    const late = await claim()
    const { version } = await readClaim(network.db, late)
    await rows().where({ kind: 'frame' }).update({ due_at: '2020-01-01' })
    const next = await claim()
    expect(await workOf(next)).toEqual(['frame f1'])
    await writeWork(network.db, site, (tx) => completeWork(tx, late, version, 'pages', [failure]))
    expect(await workOf(next)).toEqual(['frame f1'])
    expect(await rows()).toMatchObject([{ tries: 0, error: null }])
  })

  it('is due again after a second if the folder or the database failed', async () => {
    await record(pages(3))
    const first = await claim()
    await returnClaim(network.db, first, 'The disk is full.')
    expect(await rows()).toMatchObject([{ tries: 1, error: 'The disk is full.', owner: null }])
  })
})
