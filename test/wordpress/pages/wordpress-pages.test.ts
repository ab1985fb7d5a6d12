import { describe, expect, it } from 'vitest'
import { listPages } from '../../../src/wordpress/pages/pages.ts'
import { readLinkSettings } from '../../../src/wordpress/permalinks/link-settings.ts'
import { postUrl } from '../../../src/wordpress/permalinks/urls.ts'
import { useTruth } from '../clone-truth.ts'
import { truths } from '../truth.ts'

const network = await useTruth()

describe.each(truths)('the pages of site $blog_id', (truth) => {
  it('equal those of WordPress, field by field', async () => {
    const site = await network.site(truth.blog_id)
    const links = await readLinkSettings(network.db, site)
    const pages = await listPages(network.db, site, links.languages)
    expect(
      pages.map((page) => ({
        id: page.id,
        slug: page.slug,
        status: page.status,
        path: page.path,
        // The answers are those for an administrator.
        url: postUrl(links, page, true),
        title: page.title,
        lang: page.lang,
        translations: Object.fromEntries(page.translations),
      })),
    ).toEqual(
      truth.pages.map((page) => ({
        id: page.id,
        slug: page.slug,
        status: page.status,
        path: page.path,
        url: page.url,
        title: page.title,
        lang: page.lang,
        translations: { ...page.translations },
      })),
    )
  })
})
