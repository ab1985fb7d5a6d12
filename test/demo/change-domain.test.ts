import { expect, it } from 'vitest'
import { changeDomain } from '../../demo/change-domain.ts'
import { listSites, readHome } from '../../src/wordpress/network/find-sites.ts'
import { useNetwork } from '../support/network.ts'

const network = await useNetwork()

it('changeDomain moves the sites of one host and no others', async () => {
  const { db, globals } = network
  await db.write({}, (tx) => changeDomain(tx, globals, 'net.test', 'localhost:8081'))
  const sites = await listSites(db, globals)
  const homes = sites.map(async (site) => [site.domain, await readHome(db, site)])
  expect((await Promise.all(homes)).slice(0, 4)).toEqual([
    ['localhost:8081', 'http://localhost:8081'],
    ['localhost:8081', 'http://localhost:8081/shop'],
    ['localhost:8081', 'http://localhost:8081/docs'],
    ['brand.test', 'http://brand.test'],
  ])
})
