import { z } from 'zod'
import { noCopyEffect } from '../../build/publishing/static-effects.ts'
import { createFrame } from '../../content/frames/create-frame.ts'
import { deleteFrame } from '../../content/frames/delete-frame.ts'
import { bindPage } from '../../content/frames/frame-pages.ts'
import { versionOfFrame } from '../../content/frames/frame-version.ts'
import { PAGE_META_KEY } from '../../content/frames/option-names.ts'
import { getFrame } from '../../content/frames/read-frame.ts'
import { readRegistry } from '../../content/frames/registry.ts'
import { prepareRename, renameFrame } from '../../content/frames/rename-frame.ts'
import { replaceFrame } from '../../content/frames/replace-frame.ts'
import { slugParts } from '../../content/frames/slug.ts'
import { StaticSchema } from '../../host/effects.ts'
import { AppError, type ErrorCode } from '../../host/errors.ts'
import { getPage } from '../../wordpress/pages/pages.ts'
import { readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { postUrl } from '../../wordpress/permalinks/urls.ts'
import { field, optional } from '../described.ts'
import { defineEndpoint, type Endpoint, type Method } from '../endpoint.ts'
import {
  FRAME_EFFECTS,
  flag,
  objectBody,
  pageField,
  pendingField,
  presentPending,
  RepublishSchema,
} from '../fields.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import {
  FrameBodySchema,
  FrameNameSchema,
  FrameParamsSchema,
  FrameSchema,
  FrameWriteResponseSchema,
  frameWrite,
  frameWritten,
  ignoredFields,
  markupWrite,
  NewFrameBodySchema,
  nameWarnings,
  presentFrame,
  presentRename,
  RenameBodySchema,
  RenamedSchema,
  writeFrame,
} from './frame-fields.ts'

/** The errors of a write of markup. */
const MARKUP_ERRORS: readonly ErrorCode[] = [
  'precondition_failed',
  'frame_url_not_supported',
  'frame_html_required',
  'invalid_slug',
  'frame_ref_conflict',
  'frame_charset_unsupported',
  'frame_too_large',
  'frame_unreadable',
  'site_quota_exceeded',
  'unfiltered_html_required',
  'slug_taken',
  'engine_not_transactional',
]

export const createFrameEndpoint = defineEndpoint({
  name: 'createFrame',
  isOfContract: true,
  method: 'post',
  path: '/frames',
  summary: 'Create a frame',
  body: NewFrameBodySchema,
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  example: { slug: 'hello', html: '<h1><!-- svc/data {"source":"site.title"} /--></h1>' },
  response: FrameWriteResponseSchema.omit({ renamed: true }),
  errors: MARKUP_ERRORS,
  effects: FRAME_EFFECTS,
  prepare: markupWrite,
  async write(tx, call, write) {
    const { site, body } = call
    const written = await writeFrame(tx, call, write, createFrame(tx, site, write))
    return frameWritten({ ...written, updated: false, ignored: ignoredFields(body) })
  },
})

export const replaceFrameEndpoint = defineEndpoint({
  name: 'replaceFrame',
  isOfContract: true,
  method: 'put',
  path: '/frames/:ref',
  summary: "Replace a frame's markup",
  description:
    'A `slug` in the body also renames the frame. Frames that embed it are built again; see `rebaked`.',
  params: FrameParamsSchema,
  body: FrameBodySchema,
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  example: { html: '<header><!-- svc/menu {"location":"header"} /--></header>' },
  response: FrameWriteResponseSchema,
  errors: ['frame_ref_required', 'frame_not_found', ...MARKUP_ERRORS],
  effects: FRAME_EFFECTS,
  async prepare(call) {
    const { db, site, params } = call
    const write = await markupWrite(call)
    await prepareRename(db, site, params.ref, write)
    return write
  },
  async write(tx, call, write) {
    const { site, params, body } = call
    const writing = replaceFrame(tx, site, params.ref, write)
    const written = await writeFrame(tx, call, { ...write, ref: params.ref }, writing)
    return frameWritten({ ...written, updated: true, ignored: ignoredFields(body) })
  },
})

const renameFrameEndpoint = defineEndpoint({
  name: 'renameFrame',
  isOfContract: true,
  method: 'patch',
  path: '/frames/:ref',
  summary: 'Rename a frame, also in the frames that embed it',
  command: {
    name: 'frames rename',
    summary: 'give a frame another slug, also in the frames that embed it',
    args: ['ref', 'slug'],
    impact: 'change',
    text: [
      'The frame "{renamed.from}" is "{renamed.to}" now.',
      'Written again, because they embed it: {renamed.frames_updated}.',
    ],
    examples: [
      'wp-frames frames rename site-header top-header --site 2 --dry-run',
      'wp-frames frames rename site-header top-header --site 2 --user alice',
    ],
  },
  params: FrameParamsSchema,
  body: RenameBodySchema,
  example: { slug: 'site-header--wide' },
  response: z.object({
    applied: optional(z.boolean(), 'Only in a dry run.'),
    frame: FrameSchema,
    renamed: RenamedSchema,
  }),
  errors: [
    'precondition_failed',
    'frame_url_not_supported',
    'nothing_to_update',
    'gone',
    'invalid_slug',
    'frame_ref_required',
    'frame_not_found',
    'slug_taken',
    'frame_too_large',
    'frame_charset_unsupported',
    'frame_unreadable',
    'site_quota_exceeded',
    'engine_not_transactional',
  ],
  effects: FRAME_EFFECTS,
  async prepare(call) {
    const { db, site, params, body } = call
    const slug = body.slug ?? refuseRename(body)
    const write = { ...frameWrite(call), slug }
    await prepareRename(db, site, params.ref, write)
    return write
  },
  async write(tx, { site, params, body }, write) {
    const { frame, renamed, change, graph } = await renameFrame(tx, site, params.ref, write)
    return {
      body: {
        frame: presentFrame({ ...frame, slug: frame.record.slug }, graph),
        renamed: presentRename(renamed),
        warnings: [...ignoredFields(body), ...nameWarnings(frame.id, graph)],
      },
      change,
      version: versionOfFrame(frame),
    }
  },
})

/** @throws AppError for a body without a slug: `gone` if it sets defaults, otherwise `nothing_to_update` */
function refuseRename(body: z.output<typeof RenameBodySchema>): never {
  if (body.default !== undefined || body.is_default !== undefined) throw frameDefaultsGone()
  throw new AppError(
    'nothing_to_update',
    'This endpoint changes only the slug of a frame. Send it in "slug"; replace the markup with PUT.',
  )
}

/** The error of every request about default frames. */
function frameDefaultsGone(): AppError {
  return new AppError(
    'gone',
    'Frame types and default frames were removed. Assign a frame to each page with POST /frames/{ref}/assign.',
  )
}

const deleteFrameEndpoint = defineEndpoint({
  name: 'deleteFrame',
  isOfContract: true,
  method: 'delete',
  path: '/frames/:ref',
  summary: 'Delete a frame and remove it from its pages',
  command: {
    name: 'frames delete',
    summary: 'delete a frame and remove it from its pages; asks on a terminal',
    args: ['ref'],
    impact: 'deletion',
    question: 'Delete the frame "{slug}"?',
    text: ['The frame "{deleted.slug}" was deleted.'],
    examples: [
      'wp-frames frames delete old-footer --site 2 --dry-run',
      'wp-frames frames delete old-footer --site 2 --yes',
    ],
  },
  description:
    'Static copies of its pages are removed. Frames that embed it are not edited: they print nothing for it until a frame has its slug again.',
  params: FrameParamsSchema,
  body: objectBody({ bake: flag(true, 'False: do not build anything now.') }),
  response: z.object({
    deleted: FrameNameSchema,
    unbound_pages: z.array(z.int()).describe('Ids of the pages that used it.'),
    referenced_by: z.array(z.string()).describe('Slugs of the frames that embed it.'),
  }),
  errors: ['precondition_failed', 'frame_ref_required', 'frame_not_found', 'frame_unreadable'],
  effects: FRAME_EFFECTS,
  async write(tx, { site, params, body, precondition }) {
    const { frame, unboundPages, referencedBy, change } = await deleteFrame(tx, site, params.ref, {
      ...body,
      precondition,
    })
    const left = [
      ...(unboundPages.length > 0
        ? [
            `${unboundPages.length} page(s) have no frame now and return 404: ${unboundPages.join(', ')}.`,
          ]
        : []),
      ...(referencedBy.length > 0
        ? [
            `Frames that embed "${frame.slug}" print nothing for it until a frame has that slug again: ${referencedBy.join(', ')}.`,
          ]
        : []),
    ]
    return {
      body: {
        deleted: { ...frame, ...slugParts(frame.slug) },
        unbound_pages: unboundPages,
        referenced_by: referencedBy,
        warnings: left,
      },
      change,
    }
  },
})

export const assignFrameEndpoint = defineEndpoint({
  name: 'assignFrame',
  isOfContract: true,
  method: 'post',
  path: '/frames/:ref/assign',
  summary: 'Assign a frame to a page, or remove it from the page',
  command: {
    name: 'frames assign',
    summary: 'show a frame on a page, instead of the one that it has; --clear removes it',
    args: ['ref', 'page'],
    question: '{?clear}Remove the frame from the page {page}?',
    text: [
      '{!cleared}The page {page.url} ({page.id}) has the frame "{frame.slug}".',
      '{?cleared}The page {page.url} ({page.id}) has no frame any more.',
      '{!cleared}{!static.published}It has no static copy: {static.message}',
    ],
    examples: [
      'wp-frames frames assign landing about-us/team --site 2',
      'wp-frames frames assign landing about-us/team --clear --site 2 --dry-run',
    ],
  },
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
    frame: FrameSchema,
    page: z.object({
      id: z.int(),
      title: field(z.string(), 'As stored; HTML.', 'Team'),
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
    const { record, meta, graph } = frame
    return {
      body: {
        frame: presentFrame({ id, slug: record.slug, meta }, graph),
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

const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete']

/** Frames have no defaults any more: every method of `/frames/defaults`, and `POST /frames/{ref}/default`. */
const removedFrameEndpoints: readonly Endpoint[] = [
  ...METHODS.map((method) => gone(`${method}FrameDefaults`, method, '/frames/defaults')),
  gone('setDefaultFrame', 'post', '/frames/:ref/default', FrameParamsSchema),
]

function gone(name: string, method: Method, path: string, params = z.object({})): Endpoint {
  const refuse = () => Promise.reject(frameDefaultsGone())
  return defineEndpoint({
    name,
    isOfContract: true,
    method,
    path,
    params,
    summary: 'Removed: frames have no defaults',
    errors: ['gone'],
    repeatable: true,
    // Before its transaction, so that no state of the site answers otherwise.
    ...(method === 'get' ? { read: refuse } : { prepare: refuse, write: refuse }),
  })
}

export const endpoints: readonly Endpoint[] = [
  ...removedFrameEndpoints,
  createFrameEndpoint,
  replaceFrameEndpoint,
  renameFrameEndpoint,
  deleteFrameEndpoint,
  assignFrameEndpoint,
]
