import { describe, expect, it } from 'vitest'
import { fillStep, generatedSteps, itemsIn, routeOf } from '../../src/compare/write-steps.ts'

const NOTHING = {
  pages: [],
  draft: undefined,
  frame: undefined,
  menu: undefined,
  languages: [],
}

describe('generated writes', () => {
  it('need nothing on the site', () => {
    for (const { path, body } of generatedSteps(NOTHING))
      expect(`${path} ${JSON.stringify(body ?? null)}`).not.toMatch(/undefined|\bNaN\b/)
  })

  it('delete what they create', () => {
    const steps = generatedSteps(NOTHING)
    for (const ref of [
      '/frames/wpf-compare-card',
      '/frames/wpf-compare-page',
      '/menus/wpf-compare-main',
    ])
      expect(steps).toContainEqual(expect.objectContaining({ method: 'DELETE', path: ref }))
  })

  it.each([
    ['POST', '/frames/rebake', 'POST /frames/rebake'],
    ['PUT', '/frames/card?x=1', 'PUT /frames/{ref}'],
    ['POST', '/frames/card/assign', 'POST /frames/{ref}/assign'],
    ['PATCH', '/menus/~header/items/12', 'PATCH /menus/{ref}/items/{id}'],
    ['GET', '/data/menu.header', 'GET /data/{source}'],
    ['GET', '/other/thing', 'GET /other/thing'],
  ])('%s %s has the route %s', (method, path, route) => {
    expect(routeOf({ method, path })).toBe(route)
  })

  it('get the ids of items by their titles', () => {
    const items = new Map<string, number>()
    itemsIn({ menu: { id: 3, name: 'M' }, items: [{ id: 7, title: 'A &amp; B' }] }, items)
    itemsIn({ item: { id: 9, title: { from: 'Old', to: 'New' } } }, items)
    const step = {
      method: 'PATCH',
      path: '/menus/m/items/{item:A & B}',
      body: { parent: '{item:New}', order: ['{item:Old}', 1], title: 'Not {item:Old}' },
    }
    expect(fillStep(step, items)).toEqual({
      method: 'PATCH',
      path: '/menus/m/items/7',
      body: { parent: 9, order: [9, 1], title: 'Not {item:Old}' },
    })
    expect(fillStep({ method: 'GET', path: '/x/{item:None}' }, items).path).toBe('/x/0')
  })
})
