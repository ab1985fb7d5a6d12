import { isUtf8 } from 'node:buffer'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { isFileNotFound } from '../../build/publishing/file-not-found.ts'
import { matchesPattern } from '../../network/description/address-pattern.ts'
import { CommandError } from '../cli-context.ts'

/** Maximum size of all files of a description. The API accepts as much in one request. */
export const MAX_DESCRIPTION_BYTES = 16 * 1024 * 1024

/** Files and folders that are searched for files that no bundle names, and such files that are listed. */
export const MAX_SEARCHED = 10_000
export const MAX_UNREAD = 20

/** Reads the files of a folder, and none outside it. */
export class FolderFiles {
  readonly #root: string
  readonly #read = new Set<string>()
  #bytesLeft = MAX_DESCRIPTION_BYTES

  private constructor(root: string) {
    this.#root = root
  }

  /** @throws CommandError if there is no such folder */
  static async open(path: string): Promise<FolderFiles> {
    const root = await realpath(path).catch(() => undefined)
    if (root === undefined || !(await stat(root)).isDirectory())
      throw new CommandError(`There is no folder ${path}. "wp-frames init" writes one.`)
    return new FolderFiles(root)
  }

  /**
   * The paths that match, sorted: the path itself, or with `*` in its last part the files of that folder that are not hidden. In a folder
   * that has only hidden files, such as `.gitkeep`, no file matches.
   * @throws CommandError if no file of another folder matches
   */
  async list(pattern: string): Promise<string[]> {
    if (!pattern.includes('*')) return [pattern]
    const folder = dirname(pattern)
    if (folder.includes('*'))
      throw new CommandError(`"${pattern}": "*" can only be in the name of a file.`)
    const entries = await readdir(await this.#locate(folder, pattern), { withFileTypes: true })
    const parts = basename(pattern).split('*')
    const files = entries
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
    const names = files.filter((name) => matchesPattern(parts, name))
    const isEmptyOnPurpose = files.length === 0 && entries.length > 0
    if (names.length === 0 && !isEmptyOnPurpose)
      throw new CommandError(`"${pattern}" matches no file.`)
    return names.sort().map((name) => (folder === '.' ? name : `${folder}/${name}`))
  }

  /**
   * Reads a file as UTF-8.
   * @throws CommandError if it is missing, outside the folder, no regular file, too large or not UTF-8
   */
  async read(name: string): Promise<string> {
    const path = await this.#locate(name)
    this.#read.add(path)
    const status = await stat(path)
    if (!status.isFile()) throw new CommandError(`"${name}" is not a regular file.`)
    if (status.size > this.#bytesLeft) {
      throw new CommandError(
        `"${name}" is too large: the files of a description have at most ${MAX_DESCRIPTION_BYTES} bytes together.`,
      )
    }
    const bytes = await readFile(path)
    this.#bytesLeft -= bytes.length
    if (!isUtf8(bytes))
      throw new CommandError(`"${name}" is not valid UTF-8. Save it in this encoding.`)
    return bytes.toString()
  }

  /**
   * Paths of files that were not read, sorted: the first ones whose names match. Hidden files and folders are left out.
   * @param name of files
   */
  async listUnread(name: RegExp): Promise<string[]> {
    const unread: string[] = []
    const folders = [this.#root]
    let left = MAX_SEARCHED
    for (const folder of folders) {
      // The search is for a warning only, so a folder that cannot be read is passed over.
      for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
        left -= 1
        const path = join(folder, entry.name)
        if (left < 0) return unread.sort()
        if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
        if (entry.isDirectory()) folders.push(path)
        else if (entry.isFile() && name.test(entry.name) && !this.#read.has(path))
          unread.push(relative(this.#root, path))
        if (unread.length >= MAX_UNREAD) return unread.sort()
      }
    }
    return unread.sort()
  }

  /**
   * The location of a path of the folder, with symbolic links resolved.
   * @param name what the operator wrote, for messages
   */
  async #locate(target: string, name = target): Promise<string> {
    const isRelative = !isAbsolute(target) && !target.split(/[\\/]/).includes('..')
    if (!isRelative || target.includes('\0')) throw outsideFolder(name)
    const path = await realpath(join(this.#root, target)).catch((error) => {
      if (isFileNotFound(error)) throw new CommandError(`"${name}" does not exist.`)
      throw error
    })
    const below = relative(this.#root, path)
    if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below))
      throw outsideFolder(name)
    return path
  }
}

function outsideFolder(name: string): CommandError {
  return new CommandError(
    `"${name}" is outside the folder. Use a relative path without ".." and no symbolic link that leaves the folder.`,
  )
}
