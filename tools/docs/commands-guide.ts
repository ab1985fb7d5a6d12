/** `docs/commands.md` in two parts: what concerns all commands, and the notes on single commands by their names. */
export function splitCommandsGuide(text: string): {
  readonly general: string
  readonly notes: Map<string, string>
} {
  const [general = '', all = ''] = text.split(/^## Notes on commands\n/m)
  const sections = all.split(/^### /m).slice(1)
  return {
    general,
    notes: new Map(
      sections.map((section) => {
        const [heading = '', ...lines] = section.split('\n')
        return [heading.replaceAll('`', '').trim(), lines.join('\n').trim()]
      }),
    ),
  }
}

/** Links to the notes on a command lead to its page, which the site has instead. */
export function linkToCommandPages(text: string, pageNames: ReadonlySet<string>): string {
  return text.replace(/\]\(commands\.md#([a-z-]+)\)/g, (link, anchor) =>
    pageNames.has(anchor) ? `](commands/${anchor}.md)` : link,
  )
}

/** Links between guides, seen from a folder below them. */
export const linkFromBelow = (text: string): string =>
  text.replace(/\]\((?=[a-z-]+(?:\/[a-z-]+)?\.md\b)/g, '](../')
