import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { MenuItemValue } from '../../../src/baking/values.ts'
import { item, menu, print } from '../print.ts'

/** Odd menus, each with the page it is shown on and what WordPress 7.1's wp_nav_menu makes of it. */
type WalkedMenu = {
  readonly items: readonly Omit<MenuItemValue, 'marks' | 'switcher'>[]
  readonly depth: number
  /** Ids of the front page and of the privacy policy; 0 for none. */
  readonly front: number
  readonly privacy: number
  readonly home: string
  readonly page: { id: number; parent: number; ancestors: number[]; url: string }
  readonly html: string
}

const walked: readonly WalkedMenu[] = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../data/walked-menus.json'), 'utf8'),
)

/** What the source of menus finds by the site's settings. */
function marksOf({ front, privacy, home }: WalkedMenu, given: WalkedMenu['items'][number]) {
  const marks: ('home' | 'privacy-policy')[] = []
  const bare = given.url.replace(/#.*/, '').replace(/\/$/, '')
  if (given.type === 'post_type' && given.objectId === front) marks.push('home')
  if (given.type === 'post_type' && given.objectId === privacy) marks.push('privacy-policy')
  if (given.object === 'custom' && bare === home) marks.push('home')
  return marks
}

it.each(walked.map((odd, index) => [index, odd] as const))('menu %i', (_, odd) => {
  const items = odd.items.map((given) => item({ ...given, marks: marksOf(odd, given) }))
  const menus = { '["header",null,null]': { ...menu(items), home: `${odd.home}/` } }
  const ancestors = odd.page.ancestors.map((id) => ({ id }))
  const markup = `<!-- svc/menu {"location":"header","current":true,"depth":${odd.depth}} /-->`
  const { html } = print(markup, { values: { menus }, page: { ...odd.page, ancestors } })
  expect(html).toBe(odd.html)
})
