// Copies the menu of a location to the same location of all other sites with that language.
// node copy-menu.ts 2 header de
import { type components, createClient, type Input } from '@wp-frames/client'

type Item = components['schemas']['MenuItemInput']
type Row = components['schemas']['MenuRow']

const [site, at, lang] = process.argv.slice(2)
const from = Number(site)
if (!(from > 0) || !at || !lang) fail('Usage: node copy-menu.ts SITE LOCATION LANGUAGE')
const location = at as Input<'assignMenuLocation'>['body']['location']
const client = createClient({ url: process.env.WP_FRAMES_URL, token: process.env.WP_FRAMES_TOKEN })

const source = await client.getData({ site_id: from, source: `menu.${location}`, lang })
if (!('menu' in source && source.menu)) fail(`Site ${from} has no menu there.`)
const { name, slug } = source.menu

// Sites have other ids of pages, but the same paths.
const paths = new Map<number, string>()
for await (const { pages } of client.pages('listPages', { site_id: from, limit: 200 })) {
  for (const page of pages) paths.set(page.id, page.path)
}
const itemOf = ({ page, url, title, target, classes, children }: Row): Item => ({
  ...(page === null ? { url } : { page: paths.get(page) ?? page }),
  title,
  target,
  classes,
  children: children.map(itemOf),
})
const items: Input<'createMenu'>['body']['items'] = source.items.map(itemOf)

const copies = await client.forEachSite(
  async ({ site_id }) => {
    const { menus } = await client.listMenus({ site_id })
    const menu = menus.find((menu) => menu.slug === slug)
    if (!menu) return client.createMenu({ site_id, body: { name, slug, items, location, lang } })
    const isHere = (at: (typeof menu.assigned)[number]) =>
      at.location === location && at.lang === lang
    if (!menu.assigned.every(isHere)) throw new Error(`Its menu "${slug}" has other locations.`)
    const ref = String(menu.id)
    await client.replaceMenuItems({ site_id, ref, body: { items } })
    return client.assignMenuLocation({ site_id, ref, body: { location, lang } })
  },
  {
    where: ({ site_id, languages }) =>
      site_id !== from && languages.some(({ code }) => code === lang),
    onProgress: ({ site, error }) => console.log(`${site.address}: ${error ?? 'copied'}`),
  },
)
if (copies.length === 0) console.log(`No other live site has the language "${lang}".`)

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
