// The lists of pages in `docs/index.md` and the README, which `npm run tables` writes.
import { CHAPTERS } from './navigation.ts'

/** A text with this list between its marks. */
const withList = (text: string, list: string): string =>
  text.replace(/(?<=^<!-- pages -->\n).*?(?=^<!-- \/pages -->$)/ms, () => `\n${list}\n\n`)

/** `docs/index.md` with a list of the pages of each chapter. */
export const indexPage = (text: string): string =>
  withList(
    text,
    CHAPTERS.map(({ title, for: reader, pages }) =>
      [
        `## ${title}\n\n${reader}\n`,
        ...pages.map(([name, page, content]) => `- [${page}](${name}.md): ${content}`),
      ].join('\n'),
    ).join('\n\n'),
  )

/** The README with a line for each chapter. */
export const readmePage = (text: string): string =>
  withList(
    text,
    CHAPTERS.map(({ title, pages }) => {
      const links = pages.map(([name, page]) => `[${page}](docs/${name}.md)`)
      return `- **${title}**: ${links.join(', ')}`
    }).join('\n'),
  )
