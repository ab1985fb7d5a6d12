// Writes the frames of a site, its assigned menus and the frames of its pages to a file, as a description of the site.
// node backup-site.ts 2 shop.json
import { writeFile } from 'node:fs/promises'
import { type components, createClient, type Input } from 'wp-frames/client'

type Description = Input<'createPlan'>['body']
type Bundle = Required<Description['bundles'][string]>

const [site = '', file = ''] = process.argv.slice(2)
const client = createClient({ url: process.env.WP_FRAMES_URL, token: process.env.WP_FRAMES_TOKEN })
const site_id = Number(site)

const frames: Bundle['frames'] = []
for await (const page of client.pages('listFrames', { site_id, limit: 200 })) {
  for (const { id } of page.frames) {
    const { frame } = await client.getFrame({ site_id, ref: id })
    frames.push({ slug: frame.slug, html: frame.html })
  }
}

const paths = new Map<number, string>()
const pages: Extract<Bundle['pages'], unknown[]> = []
for await (const page of client.pages('listPages', { site_id, limit: 200 })) {
  for (const { id, path, lang, frame, status } of page.pages) {
    paths.set(id, path)
    if (status !== 'publish' || !frame?.slug) continue
    pages.push({ path, frame: frame.slug, ...(lang === null ? {} : { lang }) })
  }
}

const menus: Bundle['menus'] = []
for (const { id, name, slug, assigned } of (await client.listMenus({ site_id })).menus) {
  const [first] = assigned
  if (!first) continue
  const stored = new Map<number, components['schemas']['StoredMenuItem']>()
  const { items } = await client.getMenu({ site_id, ref: String(id) })
  for (const item of items) stored.set(item.id, item)

  // An item that follows the title of its page has no title here. What is no page becomes an address.
  const itemOf = (row: components['schemas']['MenuRow']): object[] => {
    const { title, url, attr_title, description } = stored.get(row.id) ?? {}
    const path = row.page === null ? undefined : paths.get(row.page)
    if (row.page !== null && !path) return []
    const { target, classes } = row
    const texts = { title: path ? title : row.title, target, classes, attr_title, description }
    return [
      {
        ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text?.trim())),
        ...(path ? { page: path } : { url: url || row.url, as_is: true }),
        children: row.children.flatMap(itemOf),
      },
    ]
  }
  const source = `menu.${first.location}`
  const lang = first.lang === null ? {} : { lang: first.lang }
  const data = await client.readData({ site_id, source, ...lang })
  if ('menu' in data) menus.push({ name, slug, items: data.items.flatMap(itemOf) })
}

const description: Description = {
  ...{ version: 1, name: `backup-${site}` },
  sites: [{ match: { id: site_id }, bundles: ['backup'] }],
  bundles: { backup: { frames, menus, pages } },
}
await writeFile(file, JSON.stringify(description, null, 2))
console.log(`${frames.length} frames, ${menus.length} menus, ${pages.length} pages with frames.`)
