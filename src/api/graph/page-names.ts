import { z } from 'zod'
import type { SiteData } from '../../baking/site-data.ts'
import { postUrl } from '../../wordpress/permalinks/urls.ts'
import type { ResponseOf } from '../endpoint.ts'

/** How people know a page. */
export const PageNamesSchema = z
  .object({
    id: z.int(),
    title: z.string().meta({ description: 'As stored; HTML.', examples: ['Team'] }),
    url: z.string().nullable().describe('Null if there is no page with this id.'),
    lang: z.string().nullable(),
    status: z
      .string()
      .nullable()
      .meta({ description: 'Null if there is no page with this id.', examples: ['publish'] }),
  })
  .meta({ id: 'PageNames' })

export type PageNames = ResponseOf<typeof PageNamesSchema>

/** The names of these pages, by id, in a few statements. Ids without a page are left out. */
export async function readPageNames(
  data: SiteData,
  ids: readonly number[],
): Promise<Map<number, PageNames>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const links = await data.links()
  const pages = await data.pagesById(unique)
  return new Map(
    pages.map((page) => {
      const { id, title, lang, status } = page
      return [id, { id, title, url: postUrl(links, page), lang, status }]
    }),
  )
}

export const deletedPage = (id: number): PageNames => ({
  id,
  title: '',
  url: null,
  lang: null,
  status: null,
})
