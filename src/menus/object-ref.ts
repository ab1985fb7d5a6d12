import type { SwitcherFlag } from '../wordpress/nav-menus/switcher.ts'

/**
 * What an item links, by names that mean the same on another site: a post or a term by its path, an archive by its post type. Ids are
 * those of one site only, and a page's path may be digits, so that a text is always a path here.
 */
export type ObjectRef =
  | PostRef
  | TermRef
  | { readonly kind: 'archive'; readonly type: string }
  /** An address that is stored as it stands: a path is not completed with that of the site. */
  | { readonly kind: 'address'; readonly url: string }
  /** Polylang's language switcher, and those of its flags that are on. */
  | { readonly kind: 'switcher'; readonly flags: readonly SwitcherFlag[] }

/** A page, or a post of another type. */
export type PostRef = {
  readonly kind: 'post'
  readonly type: string
  /** The slugs of its ancestors and its own; percent-encoded or not. */
  readonly path: string
  /** Code of its language, where several bear the path. */
  readonly lang?: string
}

export type TermRef = {
  readonly kind: 'term'
  readonly taxonomy: string
  /** The slugs of its ancestors and its own; percent-encoded or not. */
  readonly path: string
  /** Code of its language, where several bear the path. */
  readonly lang?: string
}
