import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TestConsole } from './console.ts'
import { eventually } from './eventually.ts'
import type { TestNetwork } from './network.ts'
import { createSiteFixture, type SiteFixture } from './site-fixture.ts'

/** The shop's pages that use the frame `page`: the home page in English, French, German and Arabic, and others. */
export const FRAMED_PAGES = [3, 4, 5, 6, 7, 8, 9, 10, 11]
export const ARABIC_HOME = 6

/** Puts the tests' frames on the shop. */
export async function putDemoFrames(network: TestNetwork): Promise<SiteFixture> {
  const shop = createSiteFixture(network.db, await network.site(2))
  for (const slug of ['site-header', 'site-footer', 'card', 'page'])
    await shop.frame(
      slug,
      readFileSync(resolve(import.meta.dirname, `../data/frames/${slug}.html`), 'utf8'),
    )
  await shop.assign('page', FRAMED_PAGES)
  return shop
}

/**
 * Puts the tests' frames on the shop of a console, and previews a page once: the first preview of a process loads what later ones share, which may
 * exceed the time limit of a preview on a busy machine.
 */
export async function putPreviewedFrames({ network, api }: TestConsole): Promise<SiteFixture> {
  const shop = await putDemoFrames(network)
  const agent = await api.as('alice')
  await eventually(async () => {
    await agent.post('/wp-json/svc/v1/site/2/preview').send({ page: 3 }).expect(200)
  })
  return shop
}
