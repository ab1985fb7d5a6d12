import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkCopies } from '../../../src/build/publishing/check-copies.ts'
import { listCopyRecords, storeClaimsTable } from '../../../src/build/publishing/copies-table.ts'
import { readIdentity } from '../../../src/build/publishing/network-identity.ts'
import {
  hidden,
  newWriterId,
  SHOP,
  shown,
} from '../../../test/build/publishing/publishing-fixture.ts'
import { assertUsable, useStore } from './store-fixture.ts'

const { server, relay, network, site, objects, open, publish, findings, lastVersion, keys, get } =
  await useStore()
const { db, globals } = network

const KEY = 'live/net.test/shop/about-us/index.html'

describe('a store of static copies', () => {
  it('has a page as an object with its headers and metadata, until the page must be gone', async () => {
    const copies = open()
    await assertUsable(copies)
    const { errors } = await publish(copies, [shown(7, 'about-us/', '<p>é</p>')])
    expect(errors).toEqual(new Map())
    const copy = await get(KEY)
    expect([copy.status, copy.text]).toEqual([200, '<p>é</p>'])
    expect(Object.fromEntries(copy.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=0, must-revalidate',
      'x-amz-meta-site': '2',
      'x-amz-meta-page': '7',
      'x-amz-meta-url': `${SHOP}about-us/`,
      'x-amz-meta-version': String(lastVersion()),
    })
    await publish(copies, [hidden(7, 'about-us/')])
    expect((await get(KEY)).status).toBe(404)
    expect(await copies.owners()).toEqual([])
  })

  it('is not asked for a list to decide what to remove, and gets no bytes that it has', async () => {
    const copies = open()
    await assertUsable(copies)
    await publish(copies, [shown(7, 'a/', 'same'), shown(8, 'b/', 'b')])
    relay.requests.length = 0
    await publish(copies, [shown(7, 'a/', 'same'), hidden(8, 'b/')])
    const asked = relay.requests.filter((request) => !request.includes('.published'))
    expect(asked.filter((request) => /^(PUT|GET)/.test(request))).toEqual([])
    expect(asked).toContain('DELETE /copies/live/net.test/shop/b/index.html')
  })

  it.each([
    ['%C3%BCber-uns/', 'über-uns/index.html'],
    ['a+b/', 'a+b/index.html'],
    ["it's-(new)!/", "it's-(new)!/index.html"],
    ['a%20b', 'a b/index.html'],
  ])('has the page %s at a key that a store finds by its address', async (path, key) => {
    const copies = open()
    const url = SHOP + path
    const { errors } = await publish(copies, [shown(9, path, 'here')])
    expect(errors).toEqual(new Map())
    expect(copies.locate(url)).toBe(`live/net.test/shop/${key}`)
    const address = path.endsWith('/') ? path : `${path}/`
    expect((await get(`live/net.test/shop/${address}index.html`)).text).toBe('here')
    const owners = []
    for await (const { owner } of copies.list()) owners.push(owner)
    expect(owners).toContainEqual(expect.objectContaining({ site: 2, page: 9, url }))
    await publish(copies, [hidden(9, path)])
    expect((await keys()).filter((name) => name.includes('net.test'))).toEqual([
      'live/net.test/shop/a/index.html',
    ])
  })
})

it('a store that refuses signatures without the content type, as Ceph does since version 20 gets copies and deletions', async () => {
  relay.interfere = ({ headers }) => {
    const [, signed = ''] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? []
    return headers['content-type'] && !signed.split(';').includes('content-type')
      ? { status: 403, code: 'AccessDenied' }
      : undefined
  }
  const copies = open('s3://copies/signed')
  await assertUsable(copies)
  const { errors } = await publish(copies, [shown(18, 'signed/', 'x')])
  expect(errors).toEqual(new Map())
  await publish(copies, [hidden(18, 'signed/')])
  expect((await keys()).filter((key) => key.startsWith('signed/net.test'))).toEqual([])
})

describe('a store that belongs to another network', () => {
  it.each([
    ['the prefix itself', 's3://copies/foreign', 'foreign/.wp-frames'],
    ['what contains the prefix', 's3://copies/outer/inner', 'outer/.wp-frames'],
    ['what the prefix contains', 's3://copies/around', 'around/inner/.wp-frames'],
  ])('is refused, and nothing is written: %s', async (_what, setting, marker) => {
    await objects.put(0, marker, Buffer.from(`network: ${randomUUID()}\n`))
    const before = await keys()
    const copies = open(setting)
    await expect(copies.open()).rejects.toThrow('Set STATIC_TARGET to a prefix or bucket')
    await expect(assertUsable(copies)).rejects.toThrow('belongs to another network')
    expect((await findings(copies)).get('static_folder_foreign')).toContain('another network: its')
    expect(await keys()).toEqual(before)
  })

  it('is refused also if it has lost its marker', async () => {
    const copies = open('s3://copies/used')
    await copies.open()
    const { identity } = await readIdentity(db, globals)
    expect((await copies.inspect(identity)).network).toBe(identity.identity)
    await objects.delete(0, 'used/.wp-frames')
    const again = open('s3://copies/used')
    await expect(again.open()).rejects.toThrow('was used for static copies before')
    expect((await findings(again)).get('static_folder_missing')).toContain(
      'store an empty object with the key used/.wp-frames',
    )
    await objects.put(0, 'used/.wp-frames', Buffer.alloc(0))
    await again.open()
    expect((await again.inspect(identity)).network).toBe(identity.identity)
  })
})

/** Lets the time pass in which requests of a fenced claim can arrive, or of all. */
const due = (claimId?: string) =>
  db
    .sql(storeClaimsTable(globals))
    .where(claimId === undefined ? {} : { claim_id: claimId })
    .update({ due_at: '2020-01-01 00:00:00' })

describe('a claim that was fenced', () => {
  it('changes nothing any more, and is known until its requests cannot arrive', async () => {
    const copies = open()
    const claimId = newWriterId()
    const claim = await copies.begin(2, claimId)
    const copy = { page: 11, location: 'live/net.test/shop/late/index.html', html: 'late' }
    const written = await claim.write([{ ...copy, url: `${SHOP}late/`, version: 1, digest: '' }])
    expect(written.get(11)).toMatchObject({ htmlBytes: 4 })
    expect(await copies.owners()).toEqual([claimId])
    await copies.fence(claimId)
    expect(await copies.owners()).toEqual([])
    await expect(claim.write([])).resolves.toEqual(new Map())
    await expect(claim.remove([copy])).rejects.toThrow('is lost')
    expect((await get(copy.location)).text).toBe('late')
    await objects.delete(0, copy.location)
    await due()
    expect(await copies.owners()).toEqual([claimId])
    await copies.fence(claimId)
    expect(await copies.owners()).toEqual([])
    expect(await db.sql(storeClaimsTable(globals))).toEqual([])
  })

  it('leaves copies intact, which are nevertheless written again with their pages', async () => {
    const copies = open()
    await publish(copies, [shown(15, 'completed/', 'same')])
    const claimId = newWriterId()
    const claim = await copies.begin(2, claimId)
    // As if it was killed after it had published the page, before it was forgotten.
    await claim.remove([{ location: 'live/net.test/shop/completed/index.html', page: 99 }])
    await copies.fence(claimId)
    const survey = await checkCopies(db, site, copies)
    expect(survey.find(({ page }) => page === 15)).toMatchObject({ files: 'doubtful' })
    relay.requests.length = 0
    await publish(copies, [shown(15, 'completed/', 'same')])
    await publish(copies, [shown(15, 'completed/', 'same')])
    expect(relay.requests.filter((request) => /^PUT.*completed/.test(request))).toHaveLength(1)
    await publish(copies, [hidden(15, 'completed/')])
    await due()
    await copies.fence(claimId)
  })

  it('cannot create an object that its successor has removed, and leaves no placeholder', async () => {
    const copies = open()
    await publish(copies, [shown(12, 'hides/', 'shown')])
    const claimId = newWriterId()
    const claim = await copies.begin(2, claimId)
    const location = 'live/net.test/shop/hides/index.html'
    await claim.remove([{ location: 'live/elsewhere/index.html', page: 99 }])
    await claim.remove([{ location, page: 13 }])
    await copies.fence(claimId)
    await publish(copies, [hidden(12, 'hides/')])
    expect((await get(location)).text).toBe('')
    const late = { condition: { 'If-None-Match': '*' } }
    expect(await objects.put(2, location, Buffer.from('late'), late)).toBeUndefined()
    // Nor if it has seen an earlier placeholder there.
    const former = (await objects.head(2, location))?.etag
    await publish(copies, [shown(12, 'hides/', 'shown again')])
    await publish(copies, [hidden(12, 'hides/')])
    const stale = { condition: { 'If-Match': former ?? '' } }
    expect(await objects.put(2, location, Buffer.from('late'), stale)).toBeUndefined()
    expect((await get(location)).text).toBe('')
    await due()
    await copies.fence(claimId)
    expect((await get(location)).status).toBe(404)
  })

  it('leaves the placeholder that another one still needs', async () => {
    const copies = open()
    await publish(copies, [shown(19, 'twice/', 'shown')])
    const location = 'live/net.test/shop/twice/index.html'
    const claimIds = [newWriterId(), newWriterId()] as const
    for (const claimId of claimIds) {
      const claim = await copies.begin(2, claimId)
      await claim.remove([{ location, page: 99 }])
      await copies.fence(claimId)
    }
    await publish(copies, [hidden(19, 'twice/')])
    for (const [index, claimId] of claimIds.entries()) {
      await due(claimId)
      await copies.fence(claimId)
      expect((await get(location)).status).toBe(index === 0 ? 200 : 404)
    }
    expect(await db.sql(storeClaimsTable(globals))).toEqual([])
  })
})

describe('a claim that is fenced while it works', () => {
  it('does not take what its successor has written as the condition of its own write', async () => {
    const claimId = newWriterId()
    const late = open()
    const claim = await late.begin(2, claimId)
    const location = 'live/net.test/shop/raced/index.html'
    const copies = open('s3://copies/live', server.endpoint)
    /** Begins when the claim asks for the object, and ends before it gets its answer. */
    let succession: Promise<unknown> | undefined
    relay.interfere = ({ method, url }) => {
      if (method !== 'HEAD' || !url?.includes('raced')) return undefined
      succession ??= late
        .fence(claimId)
        .then(() => publish(copies, [shown(16, 'raced/', 'of the successor')]))
      return { after: succession }
    }
    const copy = { page: 16, location, html: 'late', url: `${SHOP}raced/`, version: 1, digest: '' }
    await expect(claim.write([copy])).rejects.toThrow('is lost')
    await succession
    expect((await get(location)).text).toBe('of the successor')
    await publish(copies, [hidden(16, 'raced/')])
  })

  it('writes nothing where its successor has just found nothing', async () => {
    const copies = open()
    const claimId = newWriterId()
    const location = 'live/net.test/shop/between/index.html'
    await publish(copies, [shown(17, 'between/', 'shown')])
    const claim = await copies.begin(2, claimId)
    await claim.remove([{ location, page: 99 }])
    await copies.fence(claimId)
    let puts = 0
    relay.interfere = ({ method, url }) =>
      method === 'PUT' && url?.includes('between') && ++puts === 1
        ? { after: objects.put(2, location, Buffer.from('late')) }
        : undefined
    await publish(copies, [hidden(17, 'between/')])
    expect((await get(location)).text).toBe('')
  })
})

it('a request that arrives after its connection has ended cannot create an object whose page has been removed meanwhile', async () => {
  const copies = open()
  await assertUsable(copies)
  let puts = 0
  relay.interfere = ({ method, url }) =>
    method === 'PUT' && url?.includes('delayed') && ++puts === 1 ? { lateMs: 1000 } : undefined
  const { errors } = await publish(copies, [shown(14, 'delayed/', 'x')])
  expect([errors.size, puts]).toEqual([0, 2])
  await publish(copies, [hidden(14, 'delayed/')])
  await relay.untilSent()
  expect((await get('live/net.test/shop/delayed/index.html')).text).toBe('')
  await due()
  for (const claimId of await copies.owners()) await copies.fence(claimId)
  expect((await get('live/net.test/shop/delayed/index.html')).status).toBe(404)
  expect(await db.sql(storeClaimsTable(globals))).toEqual([])
})

describe('a store that is busy or away', () => {
  it('gets the same request again after a pause', async () => {
    const copies = open()
    await assertUsable(copies)
    let refusals = 0
    relay.interfere = ({ method, url }) =>
      method === 'PUT' && url?.includes('busy') && ++refusals <= 2
        ? {
            status: refusals === 1 ? 429 : 503,
            code: 'SlowDown',
            headers: { 'Retry-After': '0.05' },
          }
        : undefined
    const { errors } = await publish(copies, [shown(31, 'busy/', 'x')])
    expect([errors.size, refusals]).toEqual([0, 3])
  })

  it('lets pages fail that are tried again later, with the reason, and keeps their records', async () => {
    const copies = open()
    await assertUsable(copies)
    relay.interfere = ({ method, url }) =>
      method === 'PUT' && url?.includes('net.test')
        ? { status: 503, code: 'SlowDown', headers: { 'Retry-After': '0.01' } }
        : undefined
    const pages = Array.from({ length: 60 }, (_, index) =>
      shown(100 + index, `away/${index}/`, 'x'),
    )
    const { errors } = await publish(copies, pages)
    expect(errors.size).toBe(60)
    expect(errors.get(100)?.message).toMatch(
      /^The static copy in "net\.test\/shop\/away\/0\/index\.html" cannot be written: the store at .* is busy or away \(503 SlowDown\)\.$/,
    )
    // The others do not wait for it one after the other.
    const puts = relay.requests.filter((request) => /^PUT.*away/.test(request))
    expect(puts.length).toBeLessThan(100)
    const records = await listCopyRecords(db, site)
    expect(records.find(({ page }) => page === 100)).not.toHaveProperty('digest')
    relay.interfere = () => undefined
    const again = await publish(copies, pages)
    expect(again.errors.size).toBe(0)
    await publish(
      copies,
      pages.map(({ page }) => hidden(page, '')),
    )
  })
})
