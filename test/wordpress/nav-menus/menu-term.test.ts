import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'
import { comparable } from '../clone-truth.ts'

type Strings = {
  /** Input, name as stored, slug, error. */
  menu_name: [string, string, string, string | null][]
  menu_slug_sequence: { already_in_category: string; created: [string, string][] }
}
const STRINGS: Strings = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../data/strings.json'), 'utf8'),
)

const menus = await useMenusApi()

/** The term of a menu with its dependent rows. */
async function termOf(id: number) {
  const { terms, termTaxonomy, termmeta } = menus.site.tables
  const { sql } = menus.network.db
  return {
    term: await sql(terms).where({ term_id: id }).first(),
    taxonomy: await sql(termTaxonomy).where({ term_id: id }).first(),
    meta: await sql(termmeta).where({ term_id: id }),
  }
}

describe('a new menu', () => {
  it.each(STRINGS.menu_name)(
    'named %j is stored as WordPress stores it',
    async (input, name, slug) => {
      const { status, body } = await menus.send('post', '/menus', { name: input })
      expect(status).toBe(200)
      const { term, taxonomy, meta } = await termOf(body.menu.id)
      // WordPress uses ids as slugs of names that leave none; names that conflict here were created on another site there.
      const ownSlug = /^\d+$/.test(slug) && !/\d/.test(input) ? String(body.menu.id) : slug
      const isNumbered = body.warnings.includes('slug_changed')
      // Characters that the table cannot store become references.
      term.name = term.name.replace('&#x1f600;', '😀')
      expect(comparable(term)).toEqual(
        comparable({
          term_id: body.menu.id,
          name: body.warnings.includes('name_changed') ? term.name : name,
          slug: isNumbered ? term.slug : ownSlug,
          term_group: 0,
        }),
      )
      expect(taxonomy).toEqual({
        term_taxonomy_id: taxonomy.term_taxonomy_id,
        term_id: body.menu.id,
        taxonomy: 'nav_menu',
        description: '',
        parent: 0,
        count: 0,
      })
      expect(meta).toEqual([])
    },
  )

  it('may share its slug with a term of another taxonomy, but not a numbered slug', async () => {
    const { terms, termTaxonomy } = menus.site.tables
    const { sql } = menus.network.db
    for (const slug of ['unique', 'unique-2']) {
      const [id = 0] = await sql(terms).insert({ name: slug, slug })
      await sql(termTaxonomy).insert({ term_id: id, taxonomy: 'category', description: '' })
    }
    const made: [string, string][] = []
    for (const [name] of STRINGS.menu_slug_sequence.created) {
      const { body } = await menus.send('post', '/menus', { name })
      made.push([body.menu.name, body.menu.slug])
    }
    expect(made).toEqual(STRINGS.menu_slug_sequence.created)
  })
})
