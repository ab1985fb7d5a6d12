import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { isFileNotFound } from '../../build/publishing/file-not-found.ts'
import type { WholeBundle, WholeDescription } from '../../network/description/join-sites.ts'
import { writeFileAtomically } from '../atomic-write.ts'
import { CommandError } from '../cli-context.ts'
import { frameFileName } from '../frames/folder/frame-file-name.ts'
import { NETWORK_FILE, networkFileSchema, SCHEMA_FILE } from './network-file.ts'

/**
 * Writes a description to a folder, so that `readFolder` reads it. The folder is created if it does not exist. Other frames and menus in
 * the folders of its bundles are removed, because its patterns match them. `network.yaml` is written last: an interrupted run leaves no
 * description that lacks files.
 */
export async function writeFolder(path: string, description: WholeDescription): Promise<void> {
  const { bundles, sites, ...head } = description
  const files = new Map([[SCHEMA_FILE, networkFileSchema()]])
  const fileBundles = Object.entries(bundles).map(([name, bundle]) => [
    name,
    bundleContent(name, bundle, files),
  ])
  for (const [name, text] of files) await writeFileAtomically(join(path, name), Buffer.from(text))
  for (const name of Object.keys(bundles)) await removeOthers(path, name, files)
  const content = {
    ...head,
    bundles: Object.fromEntries(fileBundles),
    sites: sites.map(withoutEmpty),
  }
  await writeFileAtomically(
    join(path, NETWORK_FILE),
    Buffer.from(`# yaml-language-server: $schema=${SCHEMA_FILE}\n${formatYaml(content)}`),
  )
}

/** Removes the files of a bundle's folders that its patterns match and that are not in the map. */
async function removeOthers(
  path: string,
  bundle: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [folder, extension] of [
    ['frames', '.html'],
    ['menus', '.yaml'],
  ]) {
    const names = await readdir(join(path, bundle, `${folder}`)).catch(ignoreMissing)
    for (const name of names) {
      const file = `${bundle}/${folder}/${name}`
      const isMatched = name.endsWith(`${extension}`) && !name.startsWith('.')
      if (isMatched && !files.has(file)) await rm(join(path, file))
    }
  }
}

function ignoreMissing(error: unknown): string[] {
  if (isFileNotFound(error)) return []
  throw error
}

/** @throws CommandError if the folder contains anything, or is not a folder */
export async function assertEmpty(path: string): Promise<void> {
  const names = await readdir(path).catch((error) => {
    if (error.code === 'ENOTDIR') throw new CommandError(`${path} is not a folder.`)
    return ignoreMissing(error)
  })
  if (names.length > 0)
    throw new CommandError(
      `The folder ${path} is not empty. Use another one, or add --force to overwrite its files.`,
    )
}

/** The bundle as `network.yaml` contains it. Its files are added to the map. */
function bundleContent(name: string, bundle: WholeBundle, files: Map<string, string>): object {
  const { pages, variables } = bundle
  // Both folders exist, so that files can be added to them.
  for (const [folder, things] of [
    ['frames', bundle.frames],
    ['menus', bundle.menus],
  ] as const)
    if (things.length === 0) files.set(`${name}/${folder}/.gitkeep`, '')
  const frames = bundle.frames.map(({ slug, html, formerly }) => {
    const file = `${name}/frames/${frameFileName({ id: slug, slug })}`
    files.set(file, html)
    return { file, formerly }
  })
  const menus = bundle.menus.map(({ formerly, ...menu }, index) => {
    const file = `${name}/menus/${menuFileName(menu.slug, index)}`
    files.set(file, formatYaml(menu))
    return { file, formerly }
  })
  const hasLanguages = pages.some((page) => 'lang' in page)
  const listed = pages.map((page) => ({ ...page, path: `/${page.path}` }))
  return withoutEmpty({
    frames: filePatterns(`${name}/frames/*.html`, frames),
    menus: filePatterns(`${name}/menus/*.yaml`, menus),
    pages: hasLanguages
      ? listed
      : Object.fromEntries(listed.map(({ path, frame }) => [path, frame])),
    variables,
  })
}

/** A pattern for all files of a bundle, and the files that have former slugs. */
function filePatterns(
  pattern: string,
  files: readonly { readonly file: string; readonly formerly: readonly string[] }[],
): unknown {
  const renamed = files.filter(({ formerly }) => formerly.length > 0)
  return renamed.length === 0 ? pattern : [pattern, ...renamed]
}

/** The menu's slug, or its number if the slug is not a valid file name. */
function menuFileName(slug: string, index: number): string {
  return /^[\p{Ll}\p{Lo}\p{N}_-]{1,60}$/u.test(slug) ? `${slug}.yaml` : `menu.${index}.yaml`
}

/** Fields without the empty lists and objects. */
function withoutEmpty(fields: Readonly<Record<string, unknown>>): object {
  const isEmpty = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && !isEmpty(value)),
  )
}

const formatYaml = (content: object): string =>
  stringify(content, { lineWidth: 0, aliasDuplicateObjects: false })
