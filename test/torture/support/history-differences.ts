import { PAGE_META_KEY, recordOption } from '../../../src/content/frames/option-names.ts'
import { readRegistry } from '../../../src/content/frames/registry.ts'
import { locationsIn } from '../../../src/content/menus/location-history.ts'
import { menuText } from '../../../src/content/menus/menu-history.ts'
import { sha256Hex } from '../../../src/host/hash.ts'
import { type EntryRow, historyTable, thingKey } from '../../../src/record/history/history-row.ts'
import { readEntries } from '../../../src/record/history/read-history.ts'
import { listMenus } from '../../../src/wordpress/nav-menus/nav-menu.ts'
import { readWholeMenu } from '../../../src/wordpress/nav-menus/read-menu.ts'
import { readOptions, readOptionsMatching } from '../../../src/wordpress/options/read-options.ts'
import { readPostMeta } from '../../../src/wordpress/postmeta.ts'
import type { TortureFixture } from './torture-fixture.ts'

/**
 * Compares the last entry of each thing with what is stored: a write without its entry, or an entry without its write, is a difference. One
 * sentence for each.
 */
export async function historyDifferences({ db, site }: TortureFixture): Promise<string[]> {
  const { blogId, globals } = site
  const last = await readEntries(
    db,
    globals,
    "id IN (SELECT MAX(id) FROM :table: WHERE blog_id = :blogId AND kind NOT IN ('content', 'pruning') GROUP BY kind, ref)",
    { blogId, table: historyTable(globals) },
  )
  const stored = await storedDigests({ db, site })
  const recorded = new Map(last.map((entry) => [thingKey(entry), digestOfEntry(entry)]))
  const wrong = [...recorded]
    .filter(([key, digest]) => stored.get(key) !== digest)
    .map(
      ([key, digest]) =>
        `the last entry of ${key} has ${digest ?? 'nothing'}, stored is ${stored.get(key) ?? 'nothing'}`,
    )
  const registry = await readRegistry(db, site)
  const unrecorded = registry
    .all()
    .filter(({ id }) => !recorded.has(thingKey({ kind: 'frame', ref: id })))
    .map(({ slug }) => `the frame ${slug} has no entry`)
  return [...wrong, ...unrecorded]
}

function digestOfEntry({ kind, state, version, content }: EntryRow): string | undefined {
  if (state === null) return undefined
  const fields = JSON.parse(state)
  if (kind === 'frame') return version ?? undefined
  if (kind === 'menu') return `${fields.name} ${fields.slug} ${content}`
  return String(kind === 'location' ? fields.menu : fields.frame)
}

/** What is stored of each thing, in the form of `digestOfEntry`. */
async function storedDigests({
  db,
  site,
}: Pick<TortureFixture, 'db' | 'site'>): Promise<Map<string, string>> {
  const digests = new Map<string, string>()
  const records = await readOptionsMatching(db, site, recordOption(''), '')
  for (const { id } of (await readRegistry(db, site)).all()) {
    const text = records.get(recordOption(id))
    if (text !== undefined) digests.set(thingKey({ kind: 'frame', ref: id }), sha256Hex(text))
  }
  for (const { id } of await listMenus(db, site)) {
    const menu = await readWholeMenu(db, site, id)
    if (!menu) continue
    const digest = `${menu.menu.name} ${menu.menu.slug} ${sha256Hex(await menuText(menu))}`
    digests.set(thingKey({ kind: 'menu', ref: String(id) }), digest)
  }
  const options = [
    ...(await readOptionsMatching(db, site, 'theme_mods_', '')),
    ...(await readOptions(db, site, ['polylang'])),
  ]
  for (const [name, text] of options)
    for (const [ref, menu] of locationsIn(name, text, []))
      digests.set(thingKey({ kind: 'location', ref }), String(menu))
  for (const { postId, value } of await readPostMeta(db, site, PAGE_META_KEY))
    digests.set(thingKey({ kind: 'assignment', ref: String(postId) }), value)
  return digests
}
