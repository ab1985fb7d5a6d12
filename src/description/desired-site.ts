import type { PortableAssignment } from '../menus/portable-menu.ts'
import type { MenuTree } from '../menus/write-items.ts'

/** Whether things of a site that the description does not name may be deleted. */
export const OWNERSHIPS = ['all', 'named'] as const

export type Ownership = (typeof OWNERSHIPS)[number]

/** What one site should have, as a description says. Variables are filled in. */
export type DesiredSite = {
  /** `all`: frames, menus and assignments of pages that are not described are removed. `named`: they are left alone. */
  readonly manages: Ownership
  /** Slugs are unique. */
  readonly frames: readonly DesiredFrame[]
  /** Slugs are unique. */
  readonly menus: readonly DesiredMenu[]
  /** Pages are unique by path and language. */
  readonly pages: readonly DesiredPage[]
  /** The data set `variables` for markup; undefined if the description has no variables for the site. */
  readonly variables: Readonly<Record<string, string>> | undefined
  /** Slugs of frames that are removed, also with `named` [none]. */
  readonly removedFrames?: readonly string[]
  /** Why the site cannot get it, found while it was described [none]. */
  readonly problems?: readonly DesiredProblem[]
}

export type DesiredProblem = {
  readonly kind: 'frame' | 'menu'
  readonly name: string
  readonly reason: string
  readonly message: string
}

export type DesiredFrame = {
  readonly slug: string
  readonly html: string
  /** Former slugs. A frame with one of them is renamed if no frame has `slug`. */
  readonly formerly: readonly string[]
}

export type DesiredMenu = Pick<MenuTree, 'tree'> & {
  readonly name: string
  readonly slug: string
  /** Former slugs, as for frames. */
  readonly formerly: readonly string[]
  /** Locations to which it is assigned. */
  readonly locations: readonly PortableAssignment[]
  /** Items on unpublished pages are left out, with the items below them [a problem]. */
  readonly allowInvalid?: boolean
  /** False: it is a problem if the site has a menu with this slug and other contents [true]. */
  readonly mayReplace?: boolean
  /** How problems name the item at a position of the tree [`Item 0.1`]. */
  readonly nameItem?: (at: string) => string
}

/** The frame of a page. */
export type DesiredPage = {
  /** Path of the page below the site's address, without slashes at the ends; empty for the front page. */
  readonly path: string
  /** Code of the language, if several pages have the path. */
  readonly lang?: string | undefined
  /** Slug of the frame; null if the page has none. */
  readonly frame: string | null
}
