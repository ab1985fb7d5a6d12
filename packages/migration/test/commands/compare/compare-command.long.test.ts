import { describe, expect, it } from 'vitest'
import { fieldsOf, useComparison } from '../../comparison.ts'
import { changingJson, type Deviation, delaying } from '../../deviating-endpoint.ts'

const { network, shop, old, ours, run, compareWith, isOfShop } = await useComparison()

describe('compare', () => {
  it('finds nothing in the whole network, and in every resource, where both answer alike', async () => {
    const report = await compareWith(undefined, '--network', '--deep')
    expect([report.code, fieldsOf(report), report.noise, report.apart]).toEqual([0, [], [], []])
    expect(report.sites.length).toBeGreaterThan(3)
    for (const { state } of report.sites) expect(state).toBe('equal')
  })
})

type Frame = Record<string, unknown>

/** A deviation of the old endpoint, and all that is found. `compare-answers` has what differs within an answer. */
const DEVIATIONS: readonly (readonly [string, Deviation, readonly string[]])[] = [
  [
    'ids as texts',
    changingJson(/\/menus$/, (body) => {
      for (const menu of body.menus as Frame[]) menu.id = String(menu.id)
    }),
    ['GET /menus menus[].id type'],
  ],
  [
    'a field too many, which wp-frames misses',
    changingJson(/\/frames\/card/, (body) => {
      Object.assign(body.frame as Frame, { author: 'alice' })
    }),
    ['GET /frames/{ref} frame.author missing', 'PUT /frames/{ref} frame.author missing'],
  ],
  [
    'another error without a token',
    (response, request) => {
      if (request.token !== undefined) return
      response.status = 403
      response.body = JSON.stringify({
        code: 'rest_forbidden',
        message: 'No.',
        data: { status: 403 },
      })
    },
    [
      'GET /frames (no token) code value',
      'GET /frames (no token) data.status value',
      'GET /frames (no token) status status',
    ],
  ],
  [
    'an ignored parameter',
    changingJson(/site\/2\/frames\?q=card/, (body) => ({ ...body, total: 99 })),
    ['GET /frames total value'],
  ],
]

describe('compare finds a deviation and no other:', () => {
  it.each(DEVIATIONS)('%s', async (_, deviation, expected) => {
    const report = await compareWith(deviation)
    expect(fieldsOf(report)).toEqual(expected)
    expect(report.code).toBe(expected.length > 0 ? 1 : 0)
    expect([report.noise, report.not_comparable]).toEqual([[], []])
    for (const one of report.differences) expect(one.confirmed).toBe(true)
  })

  it('a field that only wp-frames has is listed apart', async () => {
    const report = await compareWith(
      changingJson(/\/menus$/, (body) => ({ ...body, read_items_at: undefined })),
    )
    expect([report.code, fieldsOf(report)]).toEqual([0, []])
    expect(report.apart).toMatchObject([
      { route: 'GET /menus', field: 'read_items_at', kind: 'additional_field', sites: [2] },
    ])
  })

  it('a slow answer is marked', async () => {
    const report = await compareWith(delaying(/\/menus$/, 600))
    expect([report.code, fieldsOf(report)]).toEqual([0, []])
    expect(report.times.filter(({ slow }) => slow !== null)).toMatchObject([
      { route: 'GET /menus', slow: 'old' },
    ])
  })

  it('errors of the server at times', async () => {
    let count = 0
    const report = await compareWith((response) => {
      count += 1
      if (count % 3 > 0) return
      response.status = 500
      response.body = '<p>There has been a critical error.</p>'
    })
    expect([report.code, fieldsOf(report)]).toEqual([0, []])
    expect(report.apart[0]).toMatchObject({ kind: 'old_unstable', field: 'status' })
    ours.deviate((response) => {
      count += 1
      if (count % 4 === 0) response.status = 503
    })
    old.deviate(undefined)
    const { code, stdout } = await run('--site', '2', '--json')
    const { differences } = JSON.parse(stdout)
    expect(code).toBe(1)
    for (const { kind } of differences) expect(kind).toBe('unstable')
    expect(differences.length).toBeGreaterThan(0)
  })

  it('a refusal for the rate is waited for', async () => {
    let refused = 0
    const report = await compareWith((response) => {
      if (refused >= 2) return
      refused += 1
      response.status = 429
      response.headers['retry-after'] = '1'
      response.body = JSON.stringify({ code: 'too_many_requests', message: 'Wait.', data: {} })
    })
    expect([report.code, fieldsOf(report), refused]).toEqual([0, [], 2])
  })
})

it('compare says which items plugins hide in WordPress', async () => {
  const menu = await shop.menu({
    name: 'Members',
    location: 'footer_3',
    items: [{ url: '/members', title: 'Members' }],
  })
  const { posts, postmeta } = (await network.site(2)).tables
  const [id] = await network.db.sql(posts).where({ post_title: 'Members' }).pluck('ID')
  await network.db
    .sql(postmeta)
    .insert({ post_id: id, meta_key: '_nav_menu_role', meta_value: 'in' })
  const { stdout } = await run('--site', '2')
  expect(stdout).toContain('Hidden by plugins in WordPress, printed to everybody by wp-frames:')
  expect(stdout).toContain(`A plugin hides the items ${id} of menu "Members" (${menu})`)
})

describe('compare sends', () => {
  it('at most 15 requests a site to each side, also if everything differs', async () => {
    let count = 0
    const report = await compareWith((response, request) => {
      if (!isOfShop(request)) return
      count += 1
      if (count % 5 === 0) response.status = 500
      else
        response.body = response.body
          .replaceAll(/(\d+)/g, '"$1"')
          .replaceAll('"frames"', '"frame_list"')
    })
    expect(report.code).toBe(1)
    for (const side of [old, ours]) {
      const compared = side.requests.filter(isOfShop).filter(({ path }) => !/findings$/.test(path))
      expect(compared.length).toBeLessThanOrEqual(15)
    }
  })

  it('nothing that writes', async () => {
    const before = await checksums()
    await compareWith(undefined, '--deep')
    expect(await checksums()).toEqual(before)
    const methods = new Set(old.requests.map(({ method }) => method))
    expect(methods).toEqual(new Set(['GET', 'PATCH', 'PUT']))
    await compareWith(undefined, '--no-dry-runs')
    expect(new Set(ours.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
  })
})

async function checksums(): Promise<unknown> {
  const { sql } = network.db
  const { options, posts, postmeta, terms } = (await network.site(2)).tables
  return (await sql.raw('CHECKSUM TABLE ??, ??, ??, ??', [options, posts, postmeta, terms]))[0]
}
