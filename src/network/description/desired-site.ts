import type { PortableAssignment } from '../../content/menus/portable-menu.ts'
import type { MenuTree } from '../../content/menus/write-items.ts'

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
  /** Frames that are removed, also with `named` [none]. */
  readonly removedFrames?: readonly RemovedFrame[]
  /** What may be a mistake, found while it was described [none]. */
  readonly warnings?: readonly DesiredProblem[]
}

export type DesiredProblem = {
  readonly kind: 'frame' | 'menu'
  readonly name: string
  readonly reason: string
  readonly message: string
}

/** The frame that the author of a description has seen. */
type SeenFrame = {
  /** The frame with this id, whatever its slug is now [the one with the slug]. */
  readonly id?: string | undefined
  /** SHA-256 of its markup; null for no frame. A frame that has changed since is a problem [it is not compared]. */
  readonly before?: string | null | undefined
}

export type DesiredFrame = SeenFrame & {
  readonly slug: string
  readonly html: string
  /** Former slugs. A frame with one of them is renamed if no frame has `slug`. A frame that is named by its id keeps its slug without them. */
  readonly formerly: readonly string[]
}

export type RemovedFrame = SeenFrame & { readonly slug: string }

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
  /** A name that another menu has gets a number [a problem], and locations of themes that the site does not use are left out. */
  readonly adapts?: boolean
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
