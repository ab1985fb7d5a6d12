/** Stored content without the block editor's comments: what is left is the HTML that the blocks hold. */
export function withoutBlockComments(content: string): string {
  return content.replace(/<!--\s+\/?wp:[^>]*?(?:--(?!>)[^>]*?)*-->\n?/g, '').trim()
}
