import { describe, expect, it } from 'vitest'
import { readLinkSettings } from '../../../src/wordpress/permalinks/link-settings.ts'
import { homeUrl } from '../../../src/wordpress/permalinks/urls.ts'
import { useTruth } from '../clone-truth.ts'
import { truths } from '../truth.ts'

const network = await useTruth()

describe.each(truths)('the languages of site $blog_id', (truth) => {
  it('equal those of Polylang, in order, with their homes', async () => {
    const links = await readLinkSettings(network.db, await network.site(truth.blog_id))
    const { languages } = links
    expect(languages.active).toBe(truth.polylang)
    expect(languages.default).toBe(truth.default_lang ?? null)
    expect(
      languages.list.map(({ active: _, id: _id, hasContent: _content, ...language }) => ({
        ...language,
        home_url: homeUrl(links, language.slug),
      })),
    ).toEqual(truth.languages ?? [])
    expect(homeUrl(links, null)).toBe(truth.home_url)
    expect(links.structure.text).toBe(truth.permalink_structure)
  })
})
