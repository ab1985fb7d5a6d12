import { afterEach, describe, expect, it } from 'vitest'
import {
  examinationQueue,
  examine,
  MAX_FIXED_FINDINGS,
  MAX_LISTED_FINDINGS,
} from '../../../src/api/endpoints/findings.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { useDoctorFixture } from '../../network/doctor/doctor-fixture.ts'
import { startApi } from '../../support/api.ts'
import { FAST, timed } from '../../support/timings.ts'
import { use } from '../../support/use.ts'

const examinations = examinationQueue(FAST.api.examinationWaitMs)
const shop = await useDoctorFixture()
const { executor, network } = shop
const api = await use(startApi(network, { executor, copies: executor.copies, examinations }))
await shop.publish('page', '<h1 data-op-bind="page.title">x</h1>', [10])
afterEach(() => shop.fix())

type Finding = { id: string; check: string; severity: string; message: string; fix: string | null }
type Fix = { id: string; check: string; findings: number; applied: boolean; messages: string[] }

async function read(): Promise<{ total: number; findings: Finding[]; fixes: Fix[] }> {
  const { status, body } = await (await api.as('alice')).get('/site/2/findings')
  expect(status).toBe(200)
  return body
}

async function fix(body: object, login = 'alice') {
  const { status, body: answer } = await (await api.as(login))
    .post('/site/2/findings/fix')
    .send(body)
  return { status, answer }
}

/** Puts two menus out of order, in which one fix each corrects the count. */
async function breakCounts(): Promise<void> {
  const { termTaxonomy } = shop.site.tables
  await shop.network.db
    .sql(termTaxonomy)
    .where({ taxonomy: 'nav_menu' })
    .orderBy('term_id')
    .limit(2)
    .update({ count: 77 })
}

/** Assigns the frame to pages that do not exist. */
async function bindMissingPages(count: number): Promise<void> {
  const frame = await shop.idOf('page')
  await shop.network.db.sql.batchInsert(
    shop.site.tables.postmeta,
    Array.from({ length: count }, (_, at) => ({
      post_id: 900_000 + at,
      meta_key: '_svc_frame',
      meta_value: frame,
    })),
    1000,
  )
}

describe('GET /findings', () => {
  it('reports what the command reports', async () => {
    await breakCounts()
    await shop.deleteOption(`svc_frame_${await shop.idOf('page')}_baked`)
    const expected = await shop.examine()
    const { findings, fixes, total } = await read()
    const reported = findings.filter(({ check }) => check !== 'charset_narrow')
    expect(reported.map(({ message }) => message).sort()).toEqual(
      expected.map(({ message }) => message).sort(),
    )
    expect(total).toBe(findings.length)
    expect(new Set(findings.map(({ id }) => id)).size).toBe(total)
    expect(fixes.map(({ check, findings }) => ({ check, findings }))).toEqual([
      { check: 'menu_count_wrong', findings: 1 },
      { check: 'menu_count_wrong', findings: 1 },
      { check: 'copy_missing', findings: 1 },
    ])
    for (const { check, fix } of reported)
      expect(fixes.find(({ id }) => id === fix)?.check ?? null).toBe(fix === null ? null : check)
    expect((await read()).findings).toEqual(findings)
  })

  it('lists the most severe first, and not without limit', async () => {
    await bindMissingPages(MAX_LISTED_FINDINGS)
    await breakCounts()
    const { findings, total, fixes } = await read()
    expect(findings).toHaveLength(MAX_LISTED_FINDINGS)
    expect(total).toBeGreaterThan(MAX_LISTED_FINDINGS)
    const severities = findings.map(({ severity }) =>
      ['error', 'warning', 'info'].indexOf(severity),
    )
    expect(severities).toEqual([...severities].sort())
    expect(fixes).toContainEqual(
      expect.objectContaining({ check: 'page_gone', findings: MAX_LISTED_FINDINGS }),
    )
  })

  it('does not let reads of the site wait while it waits itself', async () => {
    let finish = () => {}
    const running = examinations.run('3', () => new Promise<void>((resolve) => (finish = resolve)))
    const agent = await api.as('alice')
    let isAnswered = false
    const waiting = agent.get('/site/2/findings').then(({ status }) => {
      isAnswered = true
      return status
    })
    expect((await agent.get('/site/2/frames')).status).toBe(200)
    expect(isAnswered).toBe(false)
    finish()
    await running
    expect(await waiting).toBe(200)
  })

  it('ends if the checks take too long', async () => {
    const examination = examine(
      { examinations, site: shop.site },
      { ...shop.services, db: timed(network.db, { api: { examinationMs: 0 } }) },
    )
    await expect(examination).rejects.toMatchObject({
      code: 'examination_too_slow',
    })
  })

  it('is refused while too many examinations wait', async () => {
    let finish = () => {}
    const blocked = new Promise<void>((resolve) => {
      finish = resolve
    })
    const tasks = Array.from({ length: 6 }, () => examinations.run('2', () => blocked))
    const answer = await (await api.as('alice')).get('/site/2/findings')
    finish()
    await Promise.all(tasks)
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_busy' } })
    expect(answer.headers['retry-after']).toBeDefined()
  })
})

describe('POST /findings/fix', () => {
  it('shows in a dry run what it would fix, and changes nothing', async () => {
    await breakCounts()
    const before = await read()
    const [first] = before.fixes
    const { status, answer } = await fix({ fixes: [first?.id], dry_run: true })
    expect(status).toBe(200)
    expect(answer).toMatchObject({
      site_id: 2,
      dry_run: true,
      fixes: [{ ...first, applied: false }],
    })
    expect(answer.fixes[0].messages).toEqual([
      before.findings.find(({ fix }) => fix === first?.id)?.message,
    ])
    const { body } = await (await api.as('alice'))
      .post('/site/2/findings/fix?dry_run=1')
      .send({ fixes: [first?.id] })
    expect(body).toEqual(answer)
    expect(await read()).toEqual(before)
  })

  it('applies the fixes that were asked for, and no other', async () => {
    await breakCounts()
    const [first, second] = (await read()).fixes
    const { answer } = await fix({ fixes: [second?.id] })
    expect(answer.fixes).toMatchObject([{ id: second?.id, applied: true }])
    expect((await read()).fixes).toEqual([first])
  })

  it('answers a repetition with what is left', async () => {
    await breakCounts()
    const [first, second] = (await read()).fixes.map(({ id }) => id)
    expect((await fix({ fixes: [first] })).answer).toMatchObject({ missing: [] })
    const { answer } = await fix({ fixes: [first, second] })
    expect(answer).toMatchObject({ fixes: [{ id: second, applied: true }], missing: [first] })
    const repeated = await fix({ fixes: [first, second] })
    expect(repeated).toMatchObject({
      status: 200,
      answer: { fixes: [], missing: [first, second] },
    })
  })

  it('bakes and publishes', async () => {
    await shop.deleteOption(`svc_frame_${await shop.idOf('page')}_baked`)
    const { fixes } = await read()
    await fix({ fixes: fixes.map(({ id }) => id) })
    expect((await read()).fixes).toEqual([])
    expect(await shop.option(`svc_frame_${await shop.idOf('page')}_baked`)).toBeDefined()
  })

  it('does not apply a fix that would now fix something else', async () => {
    await bindMissingPages(1)
    const [shown] = (await read()).fixes
    await shop.network.db.sql(shop.site.tables.postmeta).insert({
      post_id: 950_000,
      meta_key: '_svc_frame',
      meta_value: await shop.idOf('page'),
    })
    for (const dry_run of [true, false]) {
      const { status, answer } = await fix({ fixes: [shown?.id], dry_run })
      expect({ status, answer }).toMatchObject({
        status: 200,
        answer: { fixes: [], missing: [shown?.id] },
      })
    }
    expect((await read()).fixes).toMatchObject([{ check: 'page_gone', findings: 2 }])
  })

  it('refuses a fix of too many things', async () => {
    await bindMissingPages(MAX_FIXED_FINDINGS + 1)
    const [large] = (await read()).fixes
    const { status, answer } = await fix({ fixes: [large?.id] })
    expect([status, answer.error]).toEqual([413, 'fix_too_large'])
    expect((await read()).fixes).toEqual([large])
  })

  it('records the caller as the author', async () => {
    await bindMissingPages(1)
    const { db, globals } = shop.network
    const { fixes } = await read()
    await fix({ fixes: fixes.map(({ id }) => id) })
    const [entry] = await db.sql(historyTable(globals)).orderBy('id', 'desc').limit(1)
    expect(entry).toMatchObject({ blog_id: 2, kind: 'assignment', action: 'cleared', user_id: 2 })
  })

  it.each([{ fixes: [] }, { fixes: 'x' }, {}, { fixes: ['x'], dry_run: 'perhaps' }])(
    'rejects %j',
    async (body) => expect((await fix(body)).status).toBe(400),
  )
})
