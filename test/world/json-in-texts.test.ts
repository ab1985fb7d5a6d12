import { describe, expect, it } from 'vitest'
import { connectMcp } from '../support/mcp.ts'
import { useMenusApi } from '../support/menus-api.ts'
import { use } from '../support/use.ts'

const menus = await useMenusApi()
const alice = await use(connectMcp(menus.api.url, await menus.api.token('alice')))
const site = { site_id: 2 }
const text = JSON.stringify

/**
 * A model or a framework sends lists and objects as texts of JSON, and got a misleading error, or a class of all names together.
 * Right: the tool's input schema (Model Context Protocol, "Tools"): where it wants a list or an object, the text has only one meaning. A text where it wants
 * a text stays one.
 */
describe('JSON in texts', () => {
  const item = { page: 'about-us' }

  it.each([
    ['the list of items', { items: text([item, { url: '/x', title: 'X' }]) }],
    ['each item', { items: [text(item), { url: '/x', title: 'X' }] }],
    ['children', { items: [{ ...item, children: text([{ url: '/x', title: 'X' }]) }] }],
  ])('is read in a tool where the schema wants a list or an object: %s', async (_, sent) => {
    const plan = await alice.call('create_menu', {
      ...site,
      name: `As text ${text(sent)}`,
      ...sent,
    })
    expect(plan.response.menu.items).toBe(2)
  })

  it('is read in the requests of a batch, and in their bodies', async () => {
    const create = (name: string) => ({ method: 'POST', path: '/menus', body: text({ name }) })
    const requests = [text(create('Batch one')), create('Batch two')]
    for (const sent of [requests, text(requests)]) {
      const { response } = await alice.call('run_batch', { ...site, requests: sent })
      expect(response.responses).toHaveLength(2)
    }
  })

  it('is read in markup that is checked, in an order and in a flag', async () => {
    const frames = text([{ slug: 'new', html: '<!-- svc/nothing /-->' }])
    expect((await alice.call('check_frames', { ...site, frames })).total).toBe(1)
    expect((await alice.call('list_frames', { ...site, full: 'true' })).frames).toEqual([])
  })

  it('stays a text where the schema wants one', async () => {
    const plan = await alice.call('create_menu', { ...site, name: '[1]', items: [] })
    expect(plan.response.menu.name).toBe('[1]')
  })

  it.each([
    ['a class of all names together', { ...item, classes: '["hero","big"]' }, 'bad_classes'],
    ['the slug of a page', '{"page":"about-us"}', 'not_an_item'],
  ])('does not become %s over HTTP', async (_, sent, reason) => {
    const { status, body } = await menus.send('post', '/menus', { name: 'Http', items: [sent] })
    expect([status, body.error, body.errors?.[0]?.reason]).toEqual([400, 'bad_items', reason])
  })

  it.each([
    ['post', '/menus', 'rest_invalid_param'],
    ['put', '/menus/footer/location', 'rest_invalid_param'],
    ['post', '/frames', 'rest_invalid_param'],
  ])('is not taken for an empty body: %s %s', async (method, path, code) => {
    const alice = await menus.api.as('alice')
    const body = text(text({ name: 'x', slug: 'x', html: 'x', location: 'header' }))
    const request = alice[method as 'post'](`/site/2${path}`).type('json').send(body)
    const answer = await request.expect(400)
    expect(answer.body).toMatchObject({ code, data: { params: expect.anything() } })
    expect(JSON.stringify(answer.body)).toContain('is a text')
  })

  it.each(['/frames', '/menus'])('an empty list of PHP is an empty body: %s', async (path) => {
    const [list, none] = await Promise.all(
      [[], {}].map(async (body) => (await menus.send('post', path, body)).body),
    )
    expect(list).toEqual(none)
  })
})
