/** What the columns `post_name` and `slug` hold. */
const MAX_NUMBERED_SLUG_BYTES = 200

/** A character: its percent-encoded bytes, or itself. */
const ENCODED_CHARACTER = /%[c-f][0-9a-f](?:%[89ab][0-9a-f])*|%[0-9a-f]{2}|./gis

/** The slug with a number behind it, cut between characters where the column would not hold it (_truncate_post_slug, post.php). */
export function numberedSlug(slug: string, number: number): string {
  const suffix = `-${number}`
  return `${truncateSlug(slug, MAX_NUMBERED_SLUG_BYTES - suffix.length)}${suffix}`
}

function truncateSlug(slug: string, length: number): string {
  if (slug.length <= length) return slug
  return (slug.includes('%') ? takeWholeCharacters(slug, length) : slug.slice(0, length)).replace(
    /-+$/,
    '',
  )
}

function takeWholeCharacters(slug: string, length: number): string {
  let cut = ''
  for (const [character] of slug.matchAll(ENCODED_CHARACTER)) {
    if (cut.length + character.length > length) break
    cut += character
  }
  return cut
}
