import type { Executor } from '../../src/build/executor/executor.ts'
import { skippedEffects } from '../../src/build/executor/executor.ts'
import { writeChange } from '../../src/changes/record-write.ts'
import { createFrame } from '../../src/content/frames/create-frame.ts'
import { deleteFrame } from '../../src/content/frames/delete-frame.ts'
import { analyzeMarkup } from '../../src/content/frames/frame-markup.ts'
import { bindPage } from '../../src/content/frames/frame-pages.ts'
import { lockFrames } from '../../src/content/frames/lock-frames.ts'
import { readRegistry } from '../../src/content/frames/registry.ts'
import { renameFrame } from '../../src/content/frames/rename-frame.ts'
import { replaceFrame } from '../../src/content/frames/replace-frame.ts'
import { readTree } from '../../src/content/menus/item-tree.ts'
import { readAssignment } from '../../src/content/menus/locations.ts'
import { readMenuName } from '../../src/content/menus/menu-names.ts'
import { MENU_CHANGE, readWriteContext } from '../../src/content/menus/write-context.ts'
import { createMenu } from '../../src/content/menus/write-menu.ts'
import type { Change } from '../../src/content/work/change.ts'
import type { RecordedChange } from '../../src/content/work/record-work.ts'
import type { Tx } from '../../src/db/transaction.ts'
import type { Effects } from '../../src/host/effects.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { readOption } from '../../src/wordpress/options/read-options.ts'
import { writeOptions } from '../../src/wordpress/options/write-options.ts'
import type { SqlDatabase } from './open-database.ts'

/** Puts content on a site for tests, benchmarks and torture trials, without the API. */
export type SiteFixture = {
  readonly site: Site
  /** Creates a frame or replaces its markup. */
  frame(slug: string, html: string, options?: { readonly bake?: boolean }): Promise<Effects>
  /** Makes these the frames of the site in one transaction; deletes all others. Builds nothing. */
  replaceFrames(frames: Iterable<FrameContent>): Promise<void>
  rename(from: string, to: string, options?: { readonly bake?: boolean }): Promise<Effects>
  removeFrame(slug: string, options?: { readonly bake?: boolean }): Promise<Effects>
  /** Assigns pages to a frame, or with `clear` takes them off it, and publishes them. */
  assign(
    slug: string,
    pages: readonly number[],
    options?: { readonly clear?: boolean; readonly bake?: boolean },
  ): Promise<Effects>
  /** The id of the frame with this slug; throws if there is none. */
  idOf(slug: string): Promise<string>
  /** Creates a published page, or another post, and gives its id. */
  page(page: PageContent): Promise<number>
  /** Creates a menu, by default at no location, and gives its id. */
  menu(menu: MenuContent): Promise<number>
  option(name: string): Promise<string | undefined>
  /** Writes an option as WordPress does: without the service. */
  setOption(name: string, value: string): Promise<void>
  deleteOption(name: string): Promise<void>
}

type FrameContent = { readonly id: string; readonly slug: string; readonly html: string }

type PageContent = {
  readonly slug: string
  readonly title?: string
  readonly content?: string
  readonly parent?: number
  readonly type?: string
}

type MenuContent = {
  readonly name: string
  readonly location?: string
  /** Of the assignment, on a site with languages. */
  readonly lang?: string | undefined
  /** As the API takes them. */
  readonly items?: readonly unknown[]
}

/** The columns of a post that have no default, for rows that are inserted by SQL. */
export const NO_TEXTS = {
  post_content: '',
  post_excerpt: '',
  to_ping: '',
  pinged: '',
  post_content_filtered: '',
}

/** User 1 is the super administrator of the network. */
const ADMIN = { id: 1, login: 'admin', isBlocked: false }
const WRITTEN_AT = '2026-01-02 03:04:05'
/**
 * @param executor builds what the writes change; without it nothing is built
 * @param userId the author of frames
 */
export function createSiteFixture(
  db: SqlDatabase,
  site: Site,
  { executor, userId = ADMIN.id }: { readonly executor?: Executor; readonly userId?: number } = {},
): SiteFixture {
  const apply = async (change: RecordedChange): Promise<Effects> =>
    executor ? executor.apply(site, change) : skippedEffects({ ...change, bake: false })
  /** Without an executor nothing is recorded, because nobody would build it. */
  const write = <T extends { readonly change: Change }>(work: (tx: Tx) => Promise<T>) =>
    executor
      ? writeChange(db, { site }, work)
      : db.write({ site }, async (tx) => {
          const written = await work(tx)
          return { ...written, change: { ...written.change, isRecorded: false, version: 0 } }
        })
  return {
    site,
    frame: async (slug, html, { bake = executor !== undefined } = {}) => {
      const frame = { slug, html, userId, now: WRITTEN_AT, bake }
      const isThere = (await readRegistry(db, site)).find(slug) !== undefined
      const { change } = await write((tx) =>
        isThere ? replaceFrame(tx, site, slug, frame) : createFrame(tx, site, frame),
      )
      return apply(change)
    },
    rename: async (from, slug, { bake = executor !== undefined } = {}) => {
      const rename = { slug, userId, now: WRITTEN_AT, bake }
      return apply((await write((tx) => renameFrame(tx, site, from, rename))).change)
    },
    replaceFrames: (frames) =>
      db.write({}, async (tx) => {
        const locked = await lockFrames(tx, site)
        const wanted = new Map(Array.from(frames, (frame) => [frame.id, frame]))
        for (const { id } of locked.graph.registry.all())
          if (!wanted.has(id)) locked.stageRemoval(id)
        const written = {
          created_at_gmt: WRITTEN_AT,
          updated_at_gmt: WRITTEN_AT,
          updated_by: userId,
        }
        for (const { id, slug, html } of wanted.values())
          locked.stage(id, { slug, html, ...written }, analyzeMarkup(html))
        await locked.flush()
      }),
    removeFrame: async (slug, { bake = executor !== undefined } = {}) => {
      const { change } = await write((tx) => deleteFrame(tx, site, slug, { bake }))
      return apply(change)
    },
    assign: async (ref, pages, { clear = false, bake = true } = {}) => {
      const { change } = await write(async (tx) => {
        const changes: Change[] = []
        for (const pageId of pages)
          changes.push((await bindPage(tx, site, { ref, pageId, clear, bake })).change)
        return { change: { bake, work: changes.flatMap(({ work }) => work) } }
      })
      return apply(change)
    },
    idOf: async (slug) => (await readRegistry(db, site)).get(slug).id,
    page: async ({ slug, title = slug, content = '', parent = 0, type = 'page' }) => {
      const [id = 0] = await db.sql(site.tables.posts).insert({
        ...NO_TEXTS,
        post_name: slug,
        post_title: title,
        post_content: content,
        post_parent: parent,
        post_type: type,
        post_status: 'publish',
      })
      return id
    },
    menu: async ({ name, location, lang, items = [] }) => {
      const context = await readWriteContext(
        db,
        site,
        { userId: ADMIN.id, unfilteredHtml: true },
        () => new Date(),
      )
      const assignment =
        location === undefined
          ? undefined
          : await readAssignment(db, site, context.links.languages, { location, lang })
      const menu = {
        name: readMenuName(name),
        slug: undefined,
        assignment,
        tree: readTree(items),
        allowInvalid: false,
      }
      const { change, id } = await write(async (tx) => {
        const { menu: created } = await createMenu(tx, site, menu, context)
        return { change: MENU_CHANGE, id: created.id }
      })
      await apply(change)
      return id
    },
    option: (name) => readOption(db, site, name),
    setOption: (name, value) =>
      db.write({}, (tx) => writeOptions(tx, site, [{ name, value }], 'off')),
    deleteOption: async (name) => {
      await db.sql(site.tables.options).where({ option_name: name }).delete()
    },
  }
}
