import { forget, isStored, keep, kept, keptWith } from '../unsaved.ts'
import type { FrameChange } from './frame-changes.ts'

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
