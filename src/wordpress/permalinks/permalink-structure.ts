import { trimEnd } from '../formatting/plain-text.ts'
/** The option `permalink_structure`, read as WordPress and Polylang read it (class-wp-rewrite.php, init). */
export type PermalinkStructure = {
  /** `/blog/%year%/%postname%/`; '' for plain addresses. */
  readonly text: string
  /** `index.php/` where the server rewrites nothing, else ''. */
  readonly root: string
  /** What stands before the first tag, without a slash before it: `blog/`. */
  readonly front: string
  /** Addresses end with a slash. */
  readonly trailingSlash: boolean
}

/** The parts of a permalink structure. */
export function permalinkStructure(text: string): PermalinkStructure {
  return {
    text,
    root: /^\/*index\.php/.test(text) ? 'index.php/' : '',
    front: text.slice(0, Math.max(0, text.indexOf('%'))).replace(/^\/+/, ''),
    trailingSlash: text.endsWith('/'),
  }
}

/** The address with or without a slash at its end, as the structure has it (user_trailingslashit, link-template.php). */
export function endAddress({ trailingSlash }: PermalinkStructure, address: string): string {
  const bare = trimEnd(address, '/')
  return trailingSlash ? `${bare}/` : bare
}
