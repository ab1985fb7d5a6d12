import { z } from 'zod'
import { StaticSchema } from '../../effects.ts'
import { bindPage } from '../../frames/frame-pages.ts'
import { versionOfFrame } from '../../frames/frame-version.ts'
import { PAGE_META_KEY } from '../../frames/option-names.ts'
import { getFrame } from '../../frames/read-frame.ts'
import { readRegistry } from '../../frames/registry.ts'
import { noCopyEffect } from '../../publishing/static-effects.ts'
import { getPage } from '../../wordpress/pages/pages.ts'
import { readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { postUrl } from '../../wordpress/permalinks/urls.ts'
import { defineEndpoint } from '../endpoint.ts'
import {
  flag,
  objectBody,
  pageField,
  pendingField,
  presentPending,
  RepublishSchema,
  siteId,
} from '../fields.ts'
import { FrameParamsSchema } from './frame-request.ts'
import { FrameSchema, presentFrame } from './frame-response.ts'

export const assignFrameEndpoint = defineEndpoint({
  name: 'assignFrame',
  isOfContract: true,
  method: 'post',
  path: '/frames/:ref/assign',
  summary: 'Assign a frame to a page, or remove it from the page',
  body: objectBody(
    {
      page: pageField('The page: its id, slug or path.'),
      clear: flag(false, 'True: remove the frame from the page.'),
      bake: flag(true, 'False: do not build anything now.'),
    },
    'page',
  ),
  example: { page: 'about-us/team' },
  params: FrameParamsSchema,
  response: z.object({
    site_id: siteId,
    frame: FrameSchema,
    page: z.object({
      id: z.int(),
      title: z.string().meta({ description: 'As stored; HTML.', examples: ['Team'] }),
      url: z.string().meta({ examples: ['http://net.test/shop/about-us/team/'] }),
    }),
    meta_key: z.string().meta({ examples: [PAGE_META_KEY] }),
    cleared: z.boolean(),
  }),
  errors: [
    'precondition_failed',
    'page_required',
    'page_not_found',
    'ambiguous_page',
    'frame_ref_required',
    'frame_not_found',
    'frame_unreadable',
  ],
  effects: {
    fields: { static: StaticSchema, republish: RepublishSchema, ...pendingField },
    report: (site, { statics, republish, pending }, body) => ({
      static: statics.get(Object(body).page.id) ?? UNKNOWN_COPY,
      republish,
      ...presentPending(site, pending),
    }),
    unavailable: ({ message }) => ({
      static: UNKNOWN_COPY,
      republish: { status: 'unavailable', message },
    }),
  },
  async prepare({ db, site, params, body }) {
    const { id } = (await readRegistry(db, site)).get(params.ref)
    const links = await readLinkSettings(db, site)
    return { id, links, page: await getPage(db, site, links.languages, body.page) }
  },
  async write(tx, { site, body, precondition }, { id, links, page }) {
    const { clear, bake } = body
    const binding = { ref: id, pageId: page.id, clear, bake, precondition }
    const { change, warnings } = await bindPage(tx, site, binding)
    const frame = await getFrame(tx, site, id)
    return {
      body: {
        site_id: site.blogId,
        frame: presentFrame({ ...frame, slug: frame.record.slug }),
        page: { id: page.id, title: page.title, url: postUrl(links, page) },
        meta_key: PAGE_META_KEY,
        cleared: clear,
        warnings,
      },
      change,
      version: versionOfFrame(frame),
    }
  },
})

const UNKNOWN_COPY = noCopyEffect('pending', 'Nothing is known of the copy yet.')
