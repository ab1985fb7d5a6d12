import { describe, expect, it } from 'vitest'
import {
  describeMoved,
  findLastWriters,
  type LastWriter,
} from '../../../src/network/plan/moved-steps.ts'
import type { Step } from '../../../src/network/plan/site-plan.ts'
import { describeWriter } from '../../../src/network/plan/site-plan.ts'
import { listEntries } from '../../../src/record/history/read-history.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'

const api = await useMenusApi()
const { site, network, send } = api
const { db, globals } = network

const BEGIN = '2000-01-01 00:00:00.000'
const NO_RUN = '00000000-0000-4000-8000-000000000000'

const step = (kind: Step['kind'], name: string, ref?: string): Step => ({
  kind,
  name,
  action: 'replaced',
  before: null,
  after: null,
  ref,
})
const newest = async () => {
  const [entry] = await listEntries(db, globals, 2, { limit: 1 })
  if (!entry) throw new Error('nothing was written')
  return entry
}
const writersOf = (steps: readonly Step[], more: { since?: string; runId?: string } = {}) =>
  findLastWriters(db, site, steps, { since: BEGIN, runId: NO_RUN, ...more })

describe('the last writer of a thing', () => {
  it('is the author of its newest entry, in the order of the steps', async () => {
    const ids: string[] = []
    for (const slug of ['one', 'two'])
      ids.push((await send('post', '/frames', { slug, html: slug, bake: false })).body.frame.id)
    const second = await newest()
    await send('put', '/frames/one', { html: 'changed', bake: false })
    const replaced = await newest()
    const steps = [
      step('frame', 'two', ids[1]),
      step('frame', 'none', 'x'),
      step('frame', 'one', ids[0]),
    ]
    const writers = await writersOf(steps)
    expect(writers.map((writer) => writer?.id)).toEqual([second.id, undefined, replaced.id])
    expect(writers[2]).toMatchObject({ user_id: 2, action: 'replaced' })
  })

  it('is none that wrote before the time, and not the run itself', async () => {
    await send('post', '/frames', { slug: 'timed', html: '<i></i>', bake: false })
    const { ref, created_at, request_id, id } = await newest()
    const steps = [step('frame', 'timed', ref)]
    const idAt = async (more: Parameters<typeof writersOf>[1]) =>
      (await writersOf(steps, more))[0]?.id
    expect(await idAt({ since: created_at })).toBe(id)
    expect(await idAt({ since: '2100-01-01 00:00:00.000' })).toBeUndefined()
    expect(await idAt({ runId: request_id ?? '' })).toBeUndefined()
  })

  it('is found by the slug of a frame or menu that is deleted', async () => {
    await send('post', '/frames', { slug: 'deleted', html: '<i></i>', bake: false })
    await send('delete', '/frames/deleted', { bake: false })
    const frame = await newest()
    const { menu } = await api.makeMenu([], { slug: 'deleted', name: 'Deleted' })
    await send('delete', `/menus/${menu.id}`)
    const deleted = await newest()
    const writers = await writersOf([step('menu', 'deleted'), step('frame', 'deleted')])
    expect(writers.map((writer) => [writer?.id, writer?.action])).toEqual([
      [deleted.id, 'deleted'],
      [frame.id, 'deleted'],
    ])
  })

  it('is not the service if another program has edited the thing', async () => {
    const { body } = await send('post', '/frames', { slug: 'edited', html: '1', bake: false })
    const { created_at } = await newest()
    const fixture = createSiteFixture(db, site)
    await fixture.setOption(`svc_frame_${body.frame.id}`, 'edited')
    // The next write of the service notes the edit.
    await send('put', '/frames/edited', { html: '2', bake: false })
    const [replaced, edited] = await listEntries(db, globals, 2, { kind: 'frame', limit: 2 })
    expect(edited).toMatchObject({ action: 'edited', ref: body.frame.id })
    const steps = [step('frame', 'edited', body.frame.id)]
    const run = { since: created_at, runId: replaced?.request_id ?? '' }
    expect((await writersOf(steps, run))[0]).toMatchObject({ action: 'created' })
  })
})

describe('the description of a writer', () => {
  const writer: LastWriter = {
    id: 1,
    action: 'replaced',
    user_id: 3,
    token_id: 7,
    label: 'deploy',
    request_id: null,
    created_at: '2026-03-01 09:30:00.123',
  }

  it.each<[Partial<LastWriter> | undefined, string]>([
    [{}, 'user 3, token "deploy", at 2026-03-01 09:30:00'],
    [{ label: 'cli' }, 'user 3, a command, at 2026-03-01 09:30:00'],
    [{ user_id: null, label: 'cli' }, 'a command, at 2026-03-01 09:30:00'],
    [
      { user_id: null, label: 'cli deploy@web1' },
      'a command of deploy@web1, at 2026-03-01 09:30:00',
    ],
    [{ user_id: null, label: null }, 'the service, at 2026-03-01 09:30:00'],
    [undefined, 'another program'],
  ])('with %j is: %s', (more, text) => {
    expect(describeWriter(more && { ...writer, ...more })).toBe(text)
  })
})

describe('the description of moved steps', () => {
  const moved = (name: string, was?: Step['action'], is?: Step['action']) => ({
    expected: was && { ...step('frame', name), action: was },
    found: is && { ...step('frame', name), action: is },
  })

  it('says what was planned and what would be done now', () => {
    const steps = [
      moved('a', 'created', 'replaced'),
      moved('b', 'replaced', 'replaced'),
      moved('c', 'deleted'),
      moved('d', undefined, 'created'),
    ]
    expect(describeMoved(steps, []).split('\n')).toEqual([
      'frame a: planned: created, now: replaced (another program)',
      'frame b: its content differs (another program)',
      'frame c: planned: deleted, now: nothing to do (another program)',
      'frame d: planned: nothing to do, now: created (another program)',
    ])
  })

  it('has twenty lines, and counts the others', () => {
    const steps = Array.from({ length: 22 }, (_, at) => moved(`f${at}`, 'created'))
    const lines = describeMoved(steps, []).split('\n')
    expect([lines.length, lines.at(-1)]).toEqual([21, 'and 2 more'])
  })
})
