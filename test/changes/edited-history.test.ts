import { expect, it } from 'vitest'
import { recordOption } from '../../src/content/frames/option-names.ts'
import { readRegistry } from '../../src/content/frames/registry.ts'
import { listEntries, readContent } from '../../src/record/history/read-history.ts'
import { use } from '../support/use.ts'
import { startEditedSite } from './edited-site.ts'

const shop = await use(startEditedSite(2))

it('an edited frame is recorded in the history when its edit is found', async () => {
  const { site, front } = shop
  const { db, globals } = front.network
  const { id } = (await readRegistry(db, site)).get('plain')
  const edit = (text: string) =>
    db
      .sql(site.tables.options)
      .where({ option_name: recordOption(id) })
      .update({ option_value: text })
  const entries = () => listEntries(db, globals, 2, { kind: 'frame', ref: id, limit: 10 })
  const before = await entries()
  await edit('<p>edited by PHP</p>')
  expect(await shop.follow()).toBe(true)
  const [edited, ...others] = await entries()
  expect(others).toEqual(before)
  expect(edited).toMatchObject({ action: 'edited', user_id: null, name: 'plain' })
  expect(edited && (await readContent(db, site, edited))).toBe('<p>edited by PHP</p>')
  await front.frame(2, 'plain', '<p>ours</p>')
  expect((await entries()).map(({ action }) => action)).toEqual([
    'replaced',
    'edited',
    ...before.map(({ action }) => action),
  ])
})
