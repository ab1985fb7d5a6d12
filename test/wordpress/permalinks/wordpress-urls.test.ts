import { describe, expect, it } from 'vitest'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { listPages } from '../../../src/wordpress/pages/pages.ts'
import { readLinkSettings } from '../../../src/wordpress/permalinks/link-settings.ts'
import { homeUrl, postUrl } from '../../../src/wordpress/permalinks/urls.ts'
import { setValue } from '../../../src/wordpress/serialized/edit-php.ts'
import { encodePhp } from '../../../src/wordpress/serialized/encode-php.ts'
import { use } from '../../support/use.ts'
import { cloneTruth } from '../clone-truth.ts'
import { type TruthAddresses, truthAddresses } from '../truth.ts'

const network = await use(cloneTruth())
const site = await network.site(2)

/** Changes the settings of site 2, as stored in the option rows. */
async function apply(settings: TruthAddresses['settings']): Promise<void> {
  const { permalink_structure, show_on_front, ...polylang } = settings
  let stored = (await readOption(network.db, site, 'polylang')) ?? ''
  for (const [key, value] of Object.entries(polylang))
    stored = setValue(stored, [key], encodePhp(value))
  const options = { permalink_structure, show_on_front, polylang: stored }
  for (const [option_name, option_value] of Object.entries(options))
    await network.db.sql(site.tables.options).where({ option_name }).update({ option_value })
}

describe('URLs', () => {
  it('are known for 56 settings', () => {
    expect(truthAddresses).toHaveLength(56)
  })

  it.each(truthAddresses)('equal those of WordPress with $settings', async (truth) => {
    await apply(truth.settings)
    const links = await readLinkSettings(network.db, site)
    const pages = await listPages(network.db, site, links.languages)
    expect(Object.fromEntries(pages.map((page) => [page.id, postUrl(links, page, true)]))).toEqual(
      truth.pages,
    )
    expect(
      Object.fromEntries(links.languages.list.map(({ slug }) => [slug, homeUrl(links, slug)])),
    ).toEqual(truth.home_urls)
  })
})
