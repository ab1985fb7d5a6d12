import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { MenuItemValue } from '../../../../src/content/markup/evaluation/values.ts'
import { item, menu, print } from '../evaluation/print.ts'

/** Unusual menus, each with its page and the output of wp_nav_menu in WordPress 7.1. */
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
  readFileSync(resolve(import.meta.dirname, '../../../data/walked-menus.json'), 'utf8'),
)

/** The marks that menu-source.ts derives from the site's settings. */
function marksOf({ front, privacy, home }: WalkedMenu, fields: WalkedMenu['items'][number]) {
  const marks: ('home' | 'privacy-policy')[] = []
  const bare = fields.url.replace(/#.*/, '').replace(/\/$/, '')
  if (fields.type === 'post_type' && fields.objectId === front) marks.push('home')
  if (fields.type === 'post_type' && fields.objectId === privacy) marks.push('privacy-policy')
  if (fields.object === 'custom' && bare === home) marks.push('home')
  return marks
}

it.each(walked.map((odd, index) => [index, odd] as const))(
  'prints menu %i as wp_nav_menu does',
  (_, odd) => {
    const items = odd.items.map((fields) => item({ ...fields, marks: marksOf(odd, fields) }))
    const menus = { '["header",null,null]': { ...menu(items), home: `${odd.home}/` } }
    const page = { ...odd.page, ancestorIds: odd.page.ancestors }
    const markup = `<!-- svc/menu {"location":"header","current":true,"depth":${odd.depth}} /-->`
    const { html } = print(markup, { values: { menus }, page })
    expect(html).toBe(odd.html)
  },
)
