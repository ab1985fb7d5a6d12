import { api } from '../client.ts'
import { userName } from '../entries.ts'
import { path } from '../router.ts'
import { forget, isStored, keep, kept, keptWith } from '../unsaved.ts'
import type { Write } from '../writes.ts'

/** A version of a frame: its markup, and the ETag for `If-Match`. */
export type FrameVersion = { readonly html: string; readonly etag: string }

/** A frame as it is stored now. */
export type StoredFrame = FrameVersion & {
  readonly id: string
  readonly slug: string
  /** Who has written it last. */
  readonly author: string
  readonly updated_at_gmt: string
}

/** Unsaved markup of a frame. */
export type FrameChange = {
  /** Id of the frame, or the slug of a new one. */
  readonly ref: string
  readonly slug: string
  readonly html: string
  /** What was changed; undefined for a new frame. */
  readonly base: FrameVersion | undefined
}

/** @throws ServiceError also `frame_not_found`; TypeError if a proxy has removed the ETag */
export async function readStoredFrame(site: number, ref: string): Promise<StoredFrame> {
  const answer = await api().getFrame({ site_id: site, ref, details: true })
  const { id, slug, html, updated_by, updated_at_gmt } = answer.frame
  const author = userName(updated_by, 'names' in answer ? answer.names : undefined)
  return { id, slug, html, author, updated_at_gmt, etag: versionIn(api().etagOf(answer)) }
}

/** The ETag of a read covers the whole answer after a dot; the version before it is what writes compare. */
const versionIn = (etag: string): string => etag.replace(/\.[^"]*/, '')

/** Stores the changes, each only if its frame is still what was changed. */
export const storing = (changes: readonly FrameChange[]): Write[] =>
  changes.map(({ ref, slug, html, base }) =>
    base
      ? {
          method: 'PUT',
          path: path`/frames/${ref}`,
          headers: { 'If-Match': base.etag },
          body: { html },
        }
      : {
          method: 'POST',
          path: '/frames',
          headers: { 'If-None-Match': '*' },
          body: { slug, html },
        },
  )

/** Editors have lines that end with a line feed. */
export const withLineFeeds = (html: string): string => html.replace(/\r\n?/g, '\n')

/** Edited markup with the line ends of the markup that was edited. */
export function withLineEndsOf(edited: string, base: FrameVersion | undefined): string {
  const { html } = base ?? { html: edited }
  return html.includes('\r\n') && !/(?<!\r)\n/.test(html) ? edited.replaceAll('\n', '\r\n') : edited
}

/** Unsaved markup of the user in this tab, with the markup that it began with. */
export type Draft = FrameChange & {
  readonly site: number
  /** When it was edited last, in milliseconds. */
  readonly at: number
}

const nameOf = (site: number, ref: string): string => `${site} ${ref}`

/** Keeps unsaved markup in the tab. */
export const keepDraft = (site: number, { ref, slug, html, base }: FrameChange): void =>
  keep(nameOf(site, ref), { site, ref, slug, html, base, at: Date.now() } as Draft)

/** Forgets a draft that is saved or discarded. */
export const discardDraft = (site: number, ref: string): void => forget(nameOf(site, ref))

/** The draft of a frame, by its id, or by its slug if the frame was new when it was begun. */
export function draftOf(site: number, ...refs: string[]): Draft | undefined {
  const found = refs.flatMap((ref) => kept<Draft>(nameOf(site, ref)) ?? [])
  return found[0] ?? draftsOf(site).find(({ slug }) => refs.includes(slug))
}

/** All drafts of a site, by slug. */
export const draftsOf = (site: number): Draft[] =>
  keptWith<Draft>(nameOf(site, '')).sort((a, b) => (a.slug < b.slug ? -1 : 1))

/** Whether a reload of the page would keep the draft. */
export const isKept = ({ site, ref }: Draft): boolean => isStored(nameOf(site, ref))
