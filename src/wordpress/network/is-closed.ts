import type { Site } from './site.ts'

/** Is the site shown to no visitor: archived, spam, deleted or not yet activated (ms_site_check, ms-load.php)? */
export function isClosed({ archived, spam, deleted }: Site): boolean {
  return archived || spam || deleted
}
