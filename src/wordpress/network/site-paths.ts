/** Sites of networks that are themselves in a folder stand two levels deep; nobody nests networks further. */
const MAX_SITE_PATH_SEGMENTS = 3

/**
 * The paths at which the site of an address may stand, as `blogs` has them: `/`, `/shop/`, `/shop/about/` (get_site_by_path,
 * ms-load.php, where the column's collation makes case no matter). Percent-encoded, as WordPress compares them.
 * @param names the names of the address's path
 */
export function sitePaths(names: readonly string[]): string[] {
  const encoded = names.slice(0, MAX_SITE_PATH_SEGMENTS).map(encodeURIComponent)
  const below = encoded.map((_, at) => `/${encoded.slice(0, at + 1).join('/')}/`)
  return [...new Set(['/', ...below, ...below.map((path) => path.toLowerCase())])]
}
