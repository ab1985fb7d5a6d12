import { z } from 'zod'
import type { StaticEffect } from '../../change.ts'
import { AppError } from '../../errors.ts'
import { bindPage } from '../../frames/bind-page.ts'
import { versionOfFrame } from '../../frames/expected-frame.ts'
import { PAGE_META_KEY } from '../../frames/option-names.ts'
import { presentFrame } from '../../frames/present-frame.ts'
import { readFrame } from '../../frames/read-frame.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import { readRegistry } from '../../frames/registry.ts'
import { decodeName } from '../../wordpress/formatting/decode-name.ts'
import { getPage } from '../../wordpress/pages/get-page.ts'
import { postUrl } from '../../wordpress/permalinks/post-url.ts'
import { readLinkSettings } from '../../wordpress/permalinks/read-link-settings.ts'
import { defineEndpoint } from '../endpoint.ts'
import { flag } from '../flag.ts'

/** Contract, section 4.1.7. */
export const assignFrame = defineEndpoint({
  method: 'post',
  path: '/frames/:ref/assign',
  summary: 'Put a frame on a page, or take it off',
  body: z.preprocess(
    (body) => body ?? {},
    z.object({ page: z.unknown().optional(), clear: flag(false), bake: flag(true) }),
  ),
  async handle({ db, executor, site, params, body, expected, tellVersion }) {
    const ref = params.ref ?? ''
    const pageRef = parsePageRef(body.page)
    const { id } = (await readRegistry(db, site)).get(ref)
    const links = await readLinkSettings(db, site)
    const page = await getPage(db, site, links.languages, pageRef)
    const { change } = await db.transaction((tx) =>
      bindPage(tx, site, {
        ref: id,
        pageId: page.id,
        clear: body.clear,
        bake: body.bake,
        expected,
      }),
    )
    const effects = await executor.apply(site, change).catch(unavailable)
    const graph = await readSiteGraph(db, site)
    const frame = await readFrame(db, site, graph.registry.get(id))
    tellVersion(versionOfFrame(frame))
    return {
      success: true,
      site_id: site.blogId,
      frame: presentFrame({ id, slug: frame.record.slug, meta: frame.meta, graph }),
      page: { id: page.id, title: decodeName(page.title), url: postUrl(links, page) },
      meta_key: PAGE_META_KEY,
      cleared: body.clear,
      static: effects.statics.get(page.id) ?? null,
      republish: effects.republish,
    }
  },
})

/** Of an executor that does not answer: the binding stands all the same (contract, section 3). */
function unavailable(error: unknown) {
  if (!(error instanceof AppError) || error.code !== 'internal_unavailable') throw error
  return {
    statics: new Map<number, StaticEffect>(),
    republish: { status: 'unavailable', message: error.message },
  }
}

/** @throws AppError `page_required` */
function parsePageRef(page: unknown): string | number {
  if (typeof page === 'number' && Number.isSafeInteger(page) && page > 0) return page
  if (typeof page === 'string' && page.trim() !== '') return page.trim()
  throw new AppError('page_required', 'No page is named. Send its id, slug or path in "page".')
}
