import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Obstacle } from '../../../src/content/restore/choose-targets.ts'
import { listEntries } from '../../../src/record/history/read-history.ts'
import { commandsOn } from '../../support/cli.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { performWrite, randomWrite } from '../../support/random-writes.ts'
import { readRestorableState } from '../../support/restorable-state.ts'
import { useFolder } from '../../support/use.ts'

const api = await useMenusApi()
const folder = await useFolder('restore')

let folders = 0
const { run } = commandsOn(api.network)
const command = async (...args: string[]) => (await run(...args, '--site', '2')).code

const commands = {
  push: async (name: string, html: string) => {
    folders += 1
    const path = join(folder, String(folders))
    await mkdir(path)
    await writeFile(join(path, `${name}.html`), html)
    return command('frames', 'push', path, '--no-bake')
  },
  importMenu: async (menu: object) => {
    const path = join(folder, 'menu.yaml')
    await writeFile(path, JSON.stringify(menu))
    return command('menus', 'import', path, '--replace')
  },
}

const lastEntry = async () => {
  const { db, globals } = api.network
  const [entry] = await listEntries(db, globals, 2, { limit: 1 })
  return entry?.id ?? 0
}

it('a restore restores the state of any moment after any writes', {
  timeout: 300_000,
}, async () => {
  const { network, site, send } = api
  const read = () => readRestorableState(network.db, site)
  // The history begins with the first write.
  await send('post', '/frames', { slug: 'begin', html: '<i></i>', bake: false })
  let writes = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(randomWrite, { minLength: 15, maxLength: 25 }),
      fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
      async (sequence, points) => {
        const moments = [{ entry: await lastEntry(), state: await read() }]
        for (const write of sequence) {
          const status = await performWrite({ ...api, ...commands }, write)
          if (status === 200) writes += 1
          expect(status, JSON.stringify(write)).toBeLessThan(500)
          moments.push({ entry: await lastEntry(), state: await read() })
        }
        for (const point of points) {
          const moment = moments[point % moments.length]
          const { status, body } = await send('post', '/restore', {
            at: moment?.entry,
            bake: false,
          })
          // Some items of the demo link a page in the trash. They are restored all the same.
          const reasons = new Set(body.not_restored?.map(({ reason }: Obstacle) => reason))
          reasons.delete('item_target_missing')
          // A frame that is not restored may embed one that did not exist at that moment.
          reasons.delete('reference_missing')
          expect({ status, reasons: [...reasons] }).toEqual({ status: 200, reasons: [] })
          expect(await read()).toEqual(moment?.state)
        }
      },
    ),
    { numRuns: 6, endOnFailure: true },
  )
  expect(writes).toBeGreaterThan(40)
  // Every state before a write was known: nothing seemed to be edited by another program.
  const { db, globals } = network
  expect(await listEntries(db, globals, 2, { action: 'edited', limit: 10 })).toEqual([])
})
