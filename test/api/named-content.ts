import type { TestApi } from '../support/api.ts'
import type { TestNetwork } from '../support/network.ts'

/** Things of a site, by every spelling that names them. */
export type NamedContent = {
  /** In all names of it. */
  readonly prefix: string
  /** In its texts, and never sent by who only knows the names: what shows it shows a thing of this site. */
  readonly content: string
  readonly frames: readonly string[]
  readonly menus: readonly (number | string)[]
  readonly items: readonly (number | string)[]
  /** The item below the first one. */
  readonly below: readonly number[]
  readonly pages: readonly (number | string)[]
  /** A slug of both a frame and a menu, named by nothing else. */
  readonly spares: readonly string[]
  readonly datasets: readonly string[]
  readonly themes: readonly string[]
  readonly langs: readonly string[]
}

type SiteUnderTest = {
  readonly network: TestNetwork
  readonly api: TestApi
  readonly blogId: number
  /** Of the site's administrator. */
  readonly login: string
  /** The site's default language. */
  readonly lang: string
}

/** Makes two frames of which one embeds the other, menus with items at a location, a page, and a data set, named by a word. */
export async function createNamedContent(
  place: SiteUnderTest,
  word: string,
): Promise<NamedContent> {
  const { network, api, blogId, login, lang } = place
  const content = `content-of-${blogId}`
  const agent = await api.as(login)
  const make = async (method: 'post' | 'put', path: string, body: object) => {
    const answer = await agent[method](`/site/${blogId}${path}`).send(body)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  const { tables } = await network.site(blogId)
  const [pageId] = await network.db.sql(tables.posts).insert(pageRow(word, content))
  await network.db.sql(tables.options).insert({
    option_name: `svc_data_${word}`,
    option_value: JSON.stringify({ value: content }),
    autoload: 'off',
  })
  const frame = { slug: `${word}-frame`, html: `<p>${content}</p>`, bake: false }
  const { id } = (await make('post', '/frames', frame)).frame
  await make('post', '/frames', { slug: `${word}-spare`, html: markupOf(word), bake: false })
  await make('post', '/menus', { name: `${word}-spare` })
  const { menu, items } = await make('post', '/menus', {
    name: `${word} menu`,
    location: 'header',
    lang,
    items: [{ url: `/${content}/`, title: content, children: [pageId] }],
  })
  const theme = `${word}-theme`
  await make('put', `/menus/${menu.id}/location`, { location: 'header', lang, theme })
  const [item, below] = items
  return {
    prefix: word,
    content,
    frames: [id, frame.slug],
    menus: [menu.id, menu.slug, menu.name],
    items: [item.id, String(item.id)],
    below: [below.id],
    pages: [pageId ?? 0, `${word}-page`],
    spares: [`${word}-spare`],
    datasets: [word],
    themes: [theme],
    langs: [lang],
  }
}

const markupOf = (word: string): string =>
  `<!-- svc/frame {"name":"${word}-frame"} /--><!-- svc/data {"source":"dataset.${word}.value"} /-->`

function pageRow(word: string, content: string) {
  const time = '2026-01-02 03:04:05'
  return {
    ...{ post_type: 'page', post_status: 'publish', post_author: 1, post_name: `${word}-page` },
    ...{ post_title: content, post_content: content, post_excerpt: '', to_ping: '', pinged: '' },
    ...{ post_date: time, post_date_gmt: time, post_modified: time, post_modified_gmt: time },
    post_content_filtered: '',
  }
}

/** How far the ids of nothing are from those of an estate. */
const ID_DISTANCE = 50_000

/** Spellings as long as those of another estate, which name nothing anywhere; digits are changed in ids. */
export function missingContent(estate: NamedContent, word: string, lang: string): NamedContent {
  const other = (spelling: number | string): number | string =>
    typeof spelling === 'number'
      ? spelling + ID_DISTANCE
      : spelling.includes(estate.prefix)
        ? spelling.replace(estate.prefix, word)
        : /^\d+$/.test(spelling)
          ? String(Number(spelling) + ID_DISTANCE)
          : spelling.replace(/[0-9a-f]/g, (digit) => (digit === 'a' ? 'b' : 'a'))
  return {
    prefix: word,
    content: '',
    frames: estate.frames.map((spelling) => String(other(spelling))),
    menus: estate.menus.map(other),
    items: estate.items.map(other),
    below: estate.below.map((id) => id + ID_DISTANCE),
    pages: estate.pages.map(other),
    spares: [`${word}-spare`],
    datasets: [word],
    themes: [`${word}-theme`],
    langs: [lang],
  }
}
