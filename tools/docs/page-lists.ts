/** Writes the lists of pages into `docs/index.md` and the README: `npx tsx tools/docs/page-lists.ts`. A test fails if one is not up to date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
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

const ROOT = resolve(import.meta.dirname, '../..')
const LISTS = { 'docs/index.md': indexPage, 'README.md': readmePage }

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const [name, print] of Object.entries(LISTS)) {
    const path = resolve(ROOT, name)
    writeFileSync(path, print(readFileSync(path, 'utf8')))
  }
