/** Lower-case `a-z 0-9 _ -` and nothing else. WordPress's `sanitize_key` (wp-includes/formatting.php). */
export const sanitizeKey = (text: string): string =>
  text.replace(/[^a-zA-Z0-9_-]/g, '').toLowerCase()
