/** Markup whose completeness can be checked: each line contains its mark, and the first line contains the number of lines. */
export function wholePage(mark: string, lines: number): string {
  const line = `<p>${mark} ${'.'.repeat(60)}</p>\n`
  return `<!doctype html><html><body data-mark="${mark}" data-lines="${lines}">\n${line.repeat(lines)}</body></html>\n`
}

/** Whether a text is such markup, complete to its last byte. */
export function isWholePage(text: string): boolean {
  const [, mark, lines] = /data-mark="([^"]*)" data-lines="(\d+)"/.exec(text) ?? []
  return mark !== undefined && text === wholePage(mark, Number(lines))
}

/** A frame that embeds another one by its slug. */
export function embedding(slug: string, part: number): string {
  return `<section><!-- svc/frame {"name":"${slug}"} /--> part ${part}</section>`
}

/** Markup that shows the title of its page and the menu of the header. */
export function hubPage(mark: string, lines: number): string {
  const line = `<p>${mark} ${'.'.repeat(60)}</p>\n`
  return `<h1 data-mark="${mark}" data-op-bind="page.title"></h1><!-- svc/menu {"location":"header"} /-->\n${line.repeat(lines)}`
}
