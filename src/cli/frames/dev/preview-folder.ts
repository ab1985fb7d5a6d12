import type { Client, Output } from '#client'
import { INLINE_ANALYZER } from '../../../content/frames/frame-markup.ts'
import { findSlug } from '../../../content/frames/slug.ts'
import type { AddressedSite } from '../../sites/site-options.ts'
import { slugFromFileName } from '../folder/frame-file-name.ts'
import { decodeMarkup, readFrameFolder } from '../folder/frame-folder.ts'
import {
  type DescribedFolder,
  describeFolder,
  readFolderChanges,
  readStoredFrames,
} from '../push/folder-changes.ts'

/** What is wrong with a file of the folder, or with a bind of the page. */
export type FolderProblem = {
  /** Name of the file, or slug of a frame that is not in the folder; '' for the page. */
  readonly file: string
  /** Contains the line and the column, if they are known. */
  readonly message: string
}

/** A frame as requests about unsaved frames contain it. */
type UnsavedFrame = { readonly slug: string; readonly html: string }

/** The page with this id as visitors would get it if the folder was pushed, and the problems of what was edited. Stores nothing. */
export async function previewFolder(
  client: Client,
  site: AddressedSite,
  path: string,
  page: number,
): Promise<{ readonly html: string; readonly problems: readonly FolderProblem[] }> {
  const { frames, problems } = await describeEdits(path, site)
  const stored = await readStoredFrames(client, site)
  const unsaved = frames.flatMap((frame) => unsavedFrames(frame, stored))
  const preview = await client.previewPage({
    site_id: site.blogId,
    body: { page, frames: unsaved },
  })
  const found = [...problems, ...preview.problems.map(problemOfFrame)]
  return { html: preview.html, problems: [...found, ...problemsOfPage(preview, found)] }
}

/** The problems of all files of the folder. */
export async function checkFolder(
  client: Client,
  site: AddressedSite,
  path: string,
): Promise<readonly FolderProblem[]> {
  const { frames, problems } = await describeEdits(path, site)
  const edited = new Map(frames.map(({ slug, html = '' }) => [slug, html]))
  const { files } = await readFrameFolder(path, site)
  for (const file of files.values()) {
    const slug = findSlug(slugFromFileName(file.name))
    const html = decodeMarkup(file)
    if (slug !== undefined && html !== undefined && !edited.has(slug)) edited.set(slug, html)
  }
  const found = await client.checkFrames({
    site_id: site.blogId,
    body: { frames: [...edited].map(([slug, html]) => ({ slug, html })) },
  })
  return [...problems, ...found.problems.map(problemOfFrame)]
}

/** What a push would send. Frames that changed on the site since the pull are overwritten. */
async function describeEdits(path: string, site: AddressedSite): Promise<DescribedFolder> {
  const changes = await readFolderChanges(path, site, INLINE_ANALYZER)
  return describeFolder(changes, { force: true, delete: false })
}

/** A frame by the id that the site has it under. A renamed one has two names: pages have the stored one, and embedders the new one. */
function unsavedFrames(
  { slug, html = '', id, formerly }: DescribedFolder['frames'][number],
  stored: ReadonlyMap<string, unknown>,
): UnsavedFrame[] {
  if (id === undefined || !stored.has(id)) return [{ slug, html }]
  return [{ slug: id, html }, ...(formerly.length > 0 ? [{ slug, html }] : [])]
}

function problemOfFrame({
  frame,
  line,
  column,
  message,
}: Output<'previewPage'>['problems'][number]): FolderProblem {
  const position = line === null ? '' : `${positionOf(line, column)}: `
  return { file: `${frame}.html`, message: `${position}${message}` }
}

const positionOf = (line: number, column: number | null): string => `Line ${line}, column ${column}`

/** A bind without a value is no mistake: many pages lack some data. @param found what is known of files */
function problemsOfPage(
  { warnings, unresolved }: Output<'previewPage'>,
  found: readonly FolderProblem[],
): FolderProblem[] {
  const known = new Set(found.map(({ file, message }) => `${file} ${message.split(': ', 1)[0]}`))
  const mistaken = unresolved
    .filter(({ reason }) => reason !== 'no_value')
    .map(({ frame, bind, reason, line, column }) => {
      const why = reason === 'unknown_name' ? 'names no value' : 'is not allowed'
      const [file, position] = [`${frame}.html`, positionOf(line, column)]
      return { file, position, message: `${position}: The bind "${bind}" ${why}.` }
    })
    .filter(({ file, position }) => !known.has(`${file} ${position}`))
  return [
    ...warnings.map((message) => ({ file: '', message })),
    ...mistaken.map(({ file, message }) => ({ file, message })),
  ]
}
