import { CHAPTERS } from './navigation.ts'

/** The anchor that GitHub generates for a heading, so that links work there and here. */
export const anchorOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** What the search reads of a page, such as `commands/frames-push.md`: its text. The heading of a guide also has what the lists say of it. */
export function searchedText(path: string, text: string): string {
  if (path === 'index.md') return ''
  for (const { isSearched, pages } of CHAPTERS)
    for (const [name, , content] of pages)
      if (`${name}.md` === path) return isSearched ? withContent(text, content) : ''
  return text
}

const withContent = (text: string, content: string): string =>
  text.replace(/^# (.+)$/m, (_, title) => `# ${title}: ${content} {#${anchorOf(title)}}`)
