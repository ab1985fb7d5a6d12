import { listEntries } from '../../src/record/history/read-history.ts'
import type { TestApi } from '../support/api.ts'
import { setOption, type TestNetwork } from '../support/network.ts'
import { NO_TEXTS } from '../support/site-fixture.ts'

/** Content of a site, with every spelling that names it. */
export type NamedContent = {
  /** A part of all names of the content. */
  readonly prefix: string
  /** A part of all texts of the content, which the test never sends: a response with it has leaked content of this site. */
  readonly content: string
  readonly frames: readonly string[]
  readonly menus: readonly (number | string)[]
  readonly items: readonly (number | string)[]
  /** The child of the first item. */
  readonly below: readonly number[]
  readonly pages: readonly (number | string)[]
  /** A slug of both a frame and a menu that nothing else references. */
  readonly spares: readonly string[]
  readonly datasets: readonly string[]
  readonly themes: readonly string[]
  readonly langs: readonly string[]
  /** Ids of entries of the site's history. */
  readonly entries: readonly number[]
}

type SiteUnderTest = {
  readonly network: TestNetwork
  readonly api: TestApi
  readonly blogId: number
  /** Login of the site's administrator. */
  readonly login: string
  /** The site's default language. */
  readonly lang: string
}

/** Creates two frames of which one embeds the other, menus with items at a location, a page, and a data set. All names have the prefix. */
export async function createNamedContent(
  site: SiteUnderTest,
  prefix: string,
): Promise<NamedContent> {
  const { network, api, blogId, login, lang } = site
  const content = `content-of-${blogId}`
  const agent = await api.as(login)
  const make = async (method: 'post' | 'put', path: string, body: object) => {
    const answer = await agent[method](`/site/${blogId}${path}`).send(body)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  const { tables } = await network.site(blogId)
  const [pageId] = await network.db.sql(tables.posts).insert(pageRow(prefix, content))
  await setOption(network, blogId, `svc_data_${prefix}`, JSON.stringify({ value: content }))
  const frame = { slug: `${prefix}-frame`, html: `<p>${content}</p>`, bake: false }
  const { id } = (await make('post', '/frames', frame)).frame
  await make('post', '/frames', { slug: `${prefix}-spare`, html: markupOf(prefix), bake: false })
  await make('post', '/menus', { name: `${prefix}-spare` })
  const { menu, items } = await make('post', '/menus', {
    name: `${prefix} menu`,
    location: 'header',
    lang,
    items: [{ url: `/${content}/`, title: content, children: [pageId] }],
  })
  const theme = `${prefix}-theme`
  await make('put', `/menus/${menu.id}/location`, { location: 'header', lang, theme })
  const [item, below] = items
  return {
    prefix,
    content,
    frames: [id, frame.slug],
    menus: [menu.id, menu.slug, menu.name],
    items: [item.id, String(item.id)],
    below: [below.id],
    pages: [pageId ?? 0, `${prefix}-page`],
    spares: [`${prefix}-spare`],
    datasets: [prefix],
    themes: [theme],
    langs: [lang],
    entries: await listOwnEntries(network, blogId),
  }
}

async function listOwnEntries({ db, globals }: TestNetwork, blogId: number): Promise<number[]> {
  const entries = await listEntries(db, globals, blogId, { limit: 2 })
  return entries.map((entry) => entry.id)
}

const markupOf = (prefix: string): string =>
  `<!-- svc/frame {"name":"${prefix}-frame"} /--><!-- svc/data {"source":"dataset.${prefix}.value"} /-->`

function pageRow(prefix: string, content: string) {
  const time = '2026-01-02 03:04:05'
  return {
    ...NO_TEXTS,
    post_type: 'page',
    post_status: 'publish',
    post_author: 1,
    post_name: `${prefix}-page`,
    post_title: content,
    post_content: content,
    post_date: time,
    post_date_gmt: time,
    post_modified: time,
    post_modified_gmt: time,
  }
}

/** Distance between the ids of existing content and the ids of missing content. */
const ID_DISTANCE = 50_000

/** Spellings of the same length as the given ones that name nothing on any site; in ids, digits are changed. */
export function missingContent(existing: NamedContent, prefix: string, lang: string): NamedContent {
  const other = (spelling: number | string): number | string =>
    typeof spelling === 'number'
      ? spelling + ID_DISTANCE
      : spelling.includes(existing.prefix)
        ? spelling.replace(existing.prefix, prefix)
        : /^\d+$/.test(spelling)
          ? String(Number(spelling) + ID_DISTANCE)
          : spelling.replace(/[0-9a-f]/g, (digit) => (digit === 'a' ? 'b' : 'a'))
  return {
    prefix,
    content: '',
    frames: existing.frames.map((spelling) => String(other(spelling))),
    menus: existing.menus.map(other),
    items: existing.items.map(other),
    below: existing.below.map((id) => id + ID_DISTANCE),
    pages: existing.pages.map(other),
    spares: [`${prefix}-spare`],
    datasets: [prefix],
    themes: [`${prefix}-theme`],
    langs: [lang],
    entries: existing.entries.map((id) => id + ID_DISTANCE),
  }
}
