import { PAGE_META_KEY } from '../../../src/content/frames/option-names.ts'
import { readRegistry } from '../../../src/content/frames/registry.ts'
import { hubPage } from './frame-markup.ts'
import type { TortureFixture } from './torture-fixture.ts'
import { Writers } from './writers.ts'

/** Number of frames that embed the hub. */
const PARTS = 50
/** A child of the front page's folder, pages in languages, children of other pages, and pages that visitors must not see. */
const OWN_PAGES = { seen: [3, 13, 14, 15, 16, 17, 18], hidden: [19, 20, 22, 23] }
/** Whose columns the additional pages get. */
const MODEL = 16
/** Each of these pages has the next ones below it. */
const FAMILY = 5

/** A site with many pages whose frames embed one frame, the hub, which shows a menu and the title of the page. */
export class PublishedSite {
  readonly writers: Writers
  /** Number of pages that embed the hub and that visitors see. */
  readonly pages: number
  readonly #fixture: TortureFixture

  /**
   * Adds the pages and the frames, and publishes them.
   * @param url address of the API
   * @param pages number of pages that embed the hub
   */
  static async prepare(
    fixture: TortureFixture,
    url: string,
    { seed, pages }: { readonly seed: number; readonly pages: number },
  ): Promise<PublishedSite> {
    const parts = PARTS
    const writers = await Writers.prepare(fixture, [url], { seed, parts, writes: 'hubs' })
    const added = await addPages(fixture, pages - OWN_PAGES.seen.length)
    await bindPages(fixture, [...OWN_PAGES.seen, ...OWN_PAGES.hidden, ...added])
    const site = new PublishedSite(fixture, writers, pages)
    const published = await site.replaceHub('w0-0', 0)
    // 502: what is left is published in the background.
    if (published !== 200 && published !== 502)
      throw new Error(`the hub was not written: ${published}`)
    return site
  }

  private constructor(fixture: TortureFixture, writers: Writers, pages: number) {
    this.#fixture = fixture
    this.writers = writers
    this.pages = pages
  }

  /**
   * Writes the hub, so that all pages must be published. No writer may be active.
   * @returns the status of the answer; undefined if there was none
   */
  async replaceHub(mark: string, lines: number): Promise<number | undefined> {
    const { all } = this.writers
    const slug = [...(all[0]?.facts.keys() ?? [])].find((fact) => fact.startsWith('frame w0-hub'))
    const html = hubPage(mark, lines)
    const answer = await all[0]?.caller.call('PUT', `/frames/${slug?.slice(6)}`, { html })
    await this.writers.settle(this.#fixture.db)
    return answer?.status
  }
}

/** Adds public pages, some of them below others; returns their ids. */
async function addPages({ db, site }: TortureFixture, count: number): Promise<number[]> {
  const { posts } = site.tables
  const { ID: _id, ...model } = await db.sql(posts).where({ ID: MODEL }).first()
  const ids: number[] = []
  for (let at = 0; at < count; at += 1) {
    const name = `added-${at}`
    const parent = at % FAMILY === 0 ? 0 : (ids[at - (at % FAMILY)] ?? 0)
    const page = { ...model, post_title: `Added ${at}`, post_name: name, post_parent: parent }
    const [id] = await db.sql(posts).insert(page)
    ids.push(Number(id))
  }
  return ids
}

/** Binds pages to the frames that embed the hub, as WordPress stores it. */
async function bindPages({ db, site }: TortureFixture, pages: readonly number[]): Promise<void> {
  const registry = await readRegistry(db, site)
  const rows = pages.map((page, at) => ({
    post_id: page,
    meta_key: PAGE_META_KEY,
    meta_value: registry.find(`w0-part-${at % PARTS}`)?.id,
  }))
  await db.sql(site.tables.postmeta).insert(rows)
}
