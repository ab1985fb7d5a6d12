/**
 * One CSS class name: octets like `%20` go, then all but `A-Z a-z 0-9 _ -`. WordPress's
 * `sanitize_html_class` (wp-includes/formatting.php).
 */
export const sanitizeHtmlClass = (text: string): string =>
  text.replace(/%[a-f0-9]{2}/gi, '').replace(/[^A-Za-z0-9_-]/g, '')
