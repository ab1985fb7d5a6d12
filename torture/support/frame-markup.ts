/** A page of a frame that tells whether it is whole: each line bears its mark, and its first line says how many there are. */
export function wholePage(mark: string, lines: number): string {
  const line = `<p>${mark} ${'.'.repeat(60)}</p>\n`
  return `<!doctype html><html><body data-mark="${mark}" data-lines="${lines}">\n${line.repeat(lines)}</body></html>\n`
}

/** Whether a text is such a page to its last byte. */
export function isWholePage(text: string): boolean {
  const [, mark, lines] = /data-mark="([^"]*)" data-lines="(\d+)"/.exec(text) ?? []
  return mark !== undefined && text === wholePage(mark, Number(lines))
}

/** A frame that embeds another one by its slug. */
export function embedding(slug: string, part: number): string {
  return `<section><!-- svc/frame {"name":"${slug}"} /--> part ${part}</section>`
}
