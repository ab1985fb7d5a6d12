import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  MAX_PLANNED_WRITES,
  prunePlannedWrites,
} from '../../../src/content/planned-writes/planned-writes-table.ts'
import { TIMINGS } from '../../../src/host/timings.ts'
import { authenticate } from '../../../src/record/auth/authenticate.ts'
import { isTokenFormat } from '../../../src/record/auth/tokens.ts'
import { connectMcp, issueLimited } from '../../support/mcp.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { use } from '../../support/use.ts'

let passed = 0
const menus = await useMenusApi({ now: () => new Date(Date.now() + passed) })
const alice = await use(connectMcp(menus.api.url, await menus.api.token('alice')))
const admin = await use(connectMcp(menus.api.url, await menus.api.token('admin')))

/** With another token of the same user. */
const connectOther = async () =>
  use(connectMcp(menus.api.url, await issueLimited(menus.network, 'alice')))

const site = { site_id: 2 }
const apply = ({ plan_id }: { readonly plan_id: string }) =>
  alice.call('apply_planned_write', { plan_id })
const refusalOf = (plan: { readonly plan_id: string }, session = alice) =>
  session.fail('apply_planned_write', { plan_id: plan.plan_id })

let made = 0
const uniqueSlug = (): string => {
  made += 1
  return `planned-${made}`
}
const planFrame = (slug: string, html: string) =>
  alice.call('create_frame', { ...site, slug, html })
const htmlOf = async (slug: string) =>
  (await menus.send('get', `/frames/${slug}`)).body.frame?.html ?? null
const table = () => menus.network.db.sql(`${menus.network.globals.basePrefix}svc_planned_writes`)

describe('a planned write', () => {
  it('stores nothing until it is applied, and then exactly what it showed', async () => {
    const slug = uniqueSlug()
    const plan = await planFrame(slug, '<p>One</p>\n')
    expect(plan.diffs).toMatchObject([{ kind: 'frame', name: slug, action: 'created' }])
    expect(plan.diffs[0].diff).toContain('+<p>One</p>')
    expect(plan.response).toMatchObject({ success: true, frame: { slug } })
    expect(await htmlOf(slug)).toBeNull()
    const applied = await apply(plan)
    expect(applied.response).toMatchObject({ frame: { slug }, rebaked: {} })
    expect(await htmlOf(slug)).toBe('<p>One</p>\n')
    const { entries } = (await menus.send('get', `/history?request=${applied.request_id}`)).body
    expect(entries).toMatchObject([{ kind: 'frame', name: slug, action: 'created' }])
  })

  it('shows what changes in an existing thing, and can be applied later', async () => {
    const slug = uniqueSlug()
    await apply(await planFrame(slug, '<p>One</p>\n'))
    const body = { html: '<p>Two</p>\n' }
    const plan = await alice.call('replace_frame', { ...site, ref: slug, ...body })
    expect(plan.diffs).toMatchObject([{ name: slug, action: 'replaced' }])
    expect(plan.diffs[0].diff).toMatch(
      /^--- .*\n\+\+\+ .*\n@@ .* @@\n-<p>One<\/p>\n\+<p>Two<\/p>\n$/,
    )
    // The dates of the frame are others then.
    passed += 2000
    await apply(plan)
    expect(await htmlOf(slug)).toBe('<p>Two</p>\n')
  })

  it('says how many pages that visitors see it builds again', async () => {
    const [used, inner] = [uniqueSlug(), uniqueSlug()]
    await menus.send('post', '/frames', { slug: inner, html: '<p>In</p>' })
    const html = `<!-- svc/frame {"slug":"${inner}"} /-->`
    await menus.send('post', '/frames', { slug: used, html })
    const pagesOf = async (name: string, sent: object) =>
      (await alice.call(name, { ...site, ...sent })).pages
    // Nothing shows it.
    expect(await pagesOf('replace_frame', { ref: inner, html: '<p>Other</p>' })).toBe(0)
    const assignment = { ref: used, page: 'about-us' }
    expect(await pagesOf('assign_frame', assignment)).toBe(1)
    expect(await pagesOf('assign_frame', { ...assignment, bake: false })).toBe(0)
    await menus.send('post', `/frames/${used}/assign`, { page: 'about-us' })
    await menus.send('post', `/frames/${used}/assign`, { page: 'about-us/team' })
    // Of its embedders too.
    const plan = await alice.call('replace_frame', { ...site, ref: inner, html: '<p>Other</p>' })
    expect(plan.pages).toBe(2)
    const requests = [
      { method: 'PUT', path: `/frames/${inner}`, body: { html: '<p>Other</p>' } },
      { method: 'POST', path: `/frames/${used}/assign`, body: { page: 'home' } },
    ]
    expect(await pagesOf('run_batch', { requests })).toBe(3)
    // What it would build now is said also if it has changed.
    await menus.send('put', `/frames/${inner}`, { html: '<p>Third</p>' })
    await menus.send('post', `/frames/${used}/assign`, { page: 'about-us', clear: true })
    expect(await refusalOf(plan)).toMatchObject({ code: 'plan_changed', pages: 1 })
    expect(await pagesOf('delete_frame', { ref: used })).toBe(1)
  })

  it('is applied if ids of new things are others than in the dry run', async () => {
    const slug = uniqueSlug()
    const requests = [
      { method: 'POST', path: '/frames', body: { slug, html: '<p>New</p>' } },
      { method: 'POST', path: `/frames/${slug}/assign`, body: { page: 'about-us' } },
      {
        method: 'POST',
        path: '/menus',
        body: {
          name: slug,
          location: 'footer_3',
          items: [{ page: 'about-us', children: ['about-us/team', { url: '/x/', title: 'X' }] }],
        },
      },
      { method: 'POST', path: `/menus/${slug}/items`, body: { url: '/y/', title: 'Y' } },
    ]
    const plan = await alice.call('run_batch', { ...site, requests })
    const kinds = plan.diffs.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['frame', 'assignment', 'menu', 'location']))
    // Ids that other writes take meanwhile.
    await menus.makeMenu([{ url: '/z/', title: 'Z' }])
    const { response, request_id } = await apply(plan)
    expect(response.responses).toHaveLength(4)

    const restored = await alice.call('restore_site', { ...site, request_id })
    expect(restored.diffs.map(({ action }: { action: string }) => action)).toContain('deleted')
    await apply(restored)
    expect(await htmlOf(slug)).toBeNull()
  })

  it('is refused if it would do something else, with another plan that shows it', async () => {
    const menu = await menus.makeMenu([{ url: '/a/', title: 'A' }])
    const sent = {
      ...site,
      ref: String(menu.menu.id),
      items: [{ url: '/b/', title: 'B' }],
    }
    const plan = await alice.call('replace_menu_items', sent)
    await menus.send('post', `/menus/${menu.menu.id}/items`, { url: '/c/', title: 'C' })
    const refusal = await refusalOf(plan)
    expect(refusal).toMatchObject({ code: 'plan_changed', diffs: [{ kind: 'menu' }] })
    expect(refusal.diffs[0].diff).toContain('removed "C"')
    const titles = async () => (await menus.itemsOf(menu.menu.id)).map(({ title }) => title)
    expect(await titles()).toEqual(['A', 'C'])
    await apply(refusal)
    expect(await titles()).toEqual(['B'])
  })

  it('is refused if a slug names another page now, also as a batch', async () => {
    const slug = uniqueSlug()
    await apply(await planFrame(slug, '<br>'))
    const { sql } = menus.network.db
    const { posts } = menus.site.tables
    const { ID: _, ...page } = await sql(posts).where({ post_type: 'page' }).first()
    const [first = 0] = await sql(posts).insert({ ...page, post_name: slug, post_parent: 0 })
    const [second = 0] = await sql(posts).insert({ ...page, post_name: 'later', post_parent: 0 })
    const body = { page: slug, bake: false }
    const plan = await alice.call('assign_frame', { ...site, ref: slug, ...body })
    const requests = [{ method: 'POST', path: `/frames/${slug}/assign`, body }]
    const batch = (more: object) => menus.send('post', '/batch', { requests, ...more })
    const dry = await batch({ dry_run: true })
    expect(dry.body.diffs).toMatchObject([{ kind: 'assignment', ref: String(first) }])

    await sql(posts).where({ ID: first }).update({ post_name: 'former' })
    await sql(posts).where({ ID: second }).update({ post_name: slug })
    const diffs = [{ kind: 'assignment', ref: String(second) }]
    expect(await refusalOf(plan)).toMatchObject({ code: 'plan_changed', diffs })
    const refused = await batch({ plan: dry.body.plan })
    expect(refused.body).toMatchObject({ error: 'plan_changed', diffs })
    await sql(posts).whereIn('ID', [first, second]).delete()
  })

  it('is applied once, also if it is applied twice at the same time', async () => {
    const slug = uniqueSlug()
    const plan = await planFrame(slug, '<p>Once</p>')
    const attempts = await Promise.allSettled([apply(plan), apply(plan), apply(plan)])
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await refusalOf(plan)).toMatchObject({ code: 'plan_not_found' })
  })

  it('belongs to the token that has planned it', async () => {
    const plan = await planFrame(uniqueSlug(), '<p>Mine</p>')
    expect(await refusalOf(plan, admin)).toMatchObject({ code: 'plan_not_found' })
    await apply(plan)
  })

  it('needs the rights of the token when it is applied', async () => {
    const session = await connectOther()
    const body = { slug: uniqueSlug(), html: '<p>Mine</p>' }
    const plan = await session.call('create_frame', { ...site, ...body })
    const { db, globals } = menus.network
    const [{ token_id }] = await table().where({ id: plan.plan_id })
    const limit = (scope: string, sites: string | null) =>
      db.sql(`${globals.basePrefix}svc_token_scopes`).insert({ token_id, scope, sites })
    const widen = () => db.sql(`${globals.basePrefix}svc_token_scopes`).where({ token_id }).delete()
    await limit('menus', null)
    expect(await refusalOf(plan, session)).toMatchObject({ code: 'insufficient_scope' })
    await widen()
    await limit('all', '3')
    expect(await refusalOf(plan, session)).toMatchObject({ code: 'site_not_found' })
    await widen()
    await session.call('apply_planned_write', { plan_id: plan.plan_id })
  })

  it(`expires after ${TIMINGS.plannedWrites.keptMinutes} minutes`, async () => {
    const plan = await planFrame(uniqueSlug(), '<p>Late</p>')
    const { db, globals } = menus.network
    const age = db.sql.raw(
      `NOW(3) - INTERVAL ${TIMINGS.plannedWrites.keptMinutes} MINUTE - INTERVAL 1 SECOND`,
    )
    await table().where({ id: plan.plan_id }).update({ created_at: age })
    expect(await refusalOf(plan)).toMatchObject({ code: 'plan_not_found' })
    expect(await prunePlannedWrites(db, globals, new AbortController().signal)).toBe(1)
    expect(await table().where({ id: plan.plan_id })).toEqual([])
  })

  it(`replaces the oldest one of the token beyond ${MAX_PLANNED_WRITES}`, async () => {
    const session = await connectOther()
    const plans: { plan_id: string }[] = []
    for (let number = 0; number <= MAX_PLANNED_WRITES; number += 1)
      plans.push(await session.call('create_frame', { ...site, slug: uniqueSlug(), html: 'x' }))
    const [first, second] = plans
    expect(await refusalOf(first ?? { plan_id: '' }, session)).toMatchObject({
      code: 'plan_not_found',
    })
    await session.call('apply_planned_write', { plan_id: second?.plan_id })
  })

  it('does not wait for one that is being applied', async () => {
    const plan = await planFrame(uniqueSlug(), 'x')
    const { db } = menus.network
    const started = performance.now()
    await db.sql.transaction(async (trx) => {
      const table = `${menus.network.globals.basePrefix}svc_planned_writes`
      await trx(table).where({ id: plan.plan_id }).delete()
      await planFrame(uniqueSlug(), 'x')
      await admin.call('create_frame', { ...site, slug: uniqueSlug(), html: 'x' })
    })
    // A statement waits for a lock for 10 seconds.
    expect(performance.now() - started).toBeLessThan(8000)
  })

  it('is refused if its input is too large to be kept', async () => {
    const html = randomBytes(900_000).toString('base64')
    const sent = { ...site, slug: uniqueSlug(), html }
    // The markup is random, but base64 compresses by a quarter.
    expect(await alice.call('create_frame', sent)).toBeDefined()
    const two = ['a', 'b'].map(() => ({
      method: 'POST',
      path: '/frames',
      body: { slug: uniqueSlug(), html: randomBytes(900_000).toString('base64') },
    }))
    expect(await alice.fail('run_batch', { ...site, requests: two })).toMatchObject({
      code: 'plan_too_large',
    })
  })
})

describe('a fix of the doctor, whose id says what it fixes', () => {
  it('is a dry run unless the client asks for more', async () => {
    const { termTaxonomy } = menus.site.tables
    const counts = () =>
      menus.network.db.sql(termTaxonomy).where({ taxonomy: 'nav_menu', count: 77 })
    const row = menus.network.db.sql(termTaxonomy).where({ taxonomy: 'nav_menu' })
    await row.orderBy('term_id').limit(1).update({ count: 77 })
    const { fixes } = await alice.call('list_findings', site)
    const body = { fixes: fixes.map(({ id }: { id: string }) => id) }
    const dry = await alice.call('fix_findings', { ...site, ...body })
    expect(dry.dry_run).toBe(true)
    expect(await counts()).toHaveLength(1)
    await alice.call('fix_findings', { ...site, ...body, dry_run: false })
    expect(await counts()).toHaveLength(0)
  })
})

describe('a planned write of the network', () => {
  it('never shows a token that could be used, and issues another one', async () => {
    const { db, globals } = menus.network
    const plan = await admin.call('issue_token', { user: 'alice', label: 'agent' })
    expect(JSON.stringify(plan)).not.toMatch(/op_[A-Za-z0-9]{64}/)
    // It concerns no pages.
    expect(plan).not.toHaveProperty('pages')
    expect(plan.diffs).toMatchObject([{ kind: 'token', name: 'agent', action: 'issued' }])
    const { response } = await admin.call('apply_planned_write', { plan_id: plan.plan_id })
    expect(isTokenFormat(response.token)).toBe(true)
    const now = new Date()
    expect(await authenticate(db, globals, response.token, now)).toMatchObject({
      tokenLabel: 'agent',
    })

    const revocation = await admin.call('revoke_token', { id: String(response.id) })
    passed += 2000
    await admin.call('apply_planned_write', { plan_id: revocation.plan_id })
    await expect(authenticate(db, globals, response.token, now)).rejects.toThrow('invalid')
  })

  it('is not needed for a plan of sites, which is one itself', async () => {
    const body = {
      version: 1,
      name: 'shops',
      sites: [{ match: { id: [2] }, bundles: ['shop'] }],
      bundles: { shop: { frames: [] } },
    }
    const { plan } = await admin.call('create_plan', body)
    expect(plan.state).toBe('planning')
    const { id } = plan
    expect(await admin.fail('apply_plan', { id })).toMatchObject({
      code: 'plan_not_ready',
    })
    const runs = `${menus.network.globals.basePrefix}svc_runs`
    await menus.network.db.sql(runs).where({ id }).update({ state: 'planned' })
    const applied = await admin.call('apply_plan', { id })
    expect(applied.plan).toMatchObject({ id, state: 'applying' })
    await menus.network.db.sql(runs).where({ id }).update({ state: 'done' })
    expect((await admin.call('roll_back_plan', { id })).plan.state).toBe('rolling_back')
  })
})
