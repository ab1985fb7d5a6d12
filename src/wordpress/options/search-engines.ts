/** What search engines are asked of a site that is hidden from them, in a header or a meta element (wp_robots_no_robots, robots-template.php). */
export const HIDDEN_FROM_SEARCH = 'noindex, nofollow'

/** Whether a site is hidden from search engines: WordPress asks whether its option `blog_public` is false for PHP. */
export function isHiddenFromSearch(blogPublic: string | undefined): boolean {
  return !blogPublic || blogPublic === '0'
}
