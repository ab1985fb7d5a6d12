/** What a path is made of. */
export type PathPart = { readonly slug: string; readonly parent: number }

/**
 * The path of a page among its ancestors, wherever they stand and whatever their status: those without a slug are left
 * out, a circle of parents is cut (get_page_uri and get_post_ancestors, post.php).
 */
export function pagePath(parts: ReadonlyMap<number, PathPart>, id: number): string {
  const seen = new Set([id])
  let path = parts.get(id)?.slug ?? ''
  for (let at = parts.get(id)?.parent ?? 0; !seen.has(at); at = parts.get(at)?.parent ?? 0) {
    const slug = parts.get(at)?.slug
    if (slug) path = `${slug}/${path}`
    seen.add(at)
  }
  return path
}
