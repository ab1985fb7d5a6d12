import { isUtf8 } from 'node:buffer'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { matchesPattern } from '../../description/address-pattern.ts'
import { isFileNotFound } from '../../publishing/file-not-found.ts'
import { CommandError } from '../cli-context.ts'

/** Maximum size of all files of a description. The API accepts as much in one request. */
export const MAX_DESCRIPTION_BYTES = 16 * 1024 * 1024

/** Reads the files of a folder, and none outside it. */
export class FolderFiles {
  readonly #root: string
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
   * The paths that match, sorted: the path itself, or with `*` in its last part the files of that folder that are not hidden.
   * @throws CommandError if there is none
   */
  async list(pattern: string): Promise<string[]> {
    if (!pattern.includes('*')) return [pattern]
    const folder = dirname(pattern)
    if (folder.includes('*'))
      throw new CommandError(`"${pattern}": "*" can only be in the name of a file.`)
    const entries = await readdir(await this.#locate(folder, pattern), { withFileTypes: true })
    const parts = basename(pattern).split('*')
    const names = entries
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .filter((name) => matchesPattern(parts, name))
    if (names.length === 0) throw new CommandError(`"${pattern}" matches no file.`)
    return names.sort().map((name) => (folder === '.' ? name : `${folder}/${name}`))
  }

  /**
   * Reads a file as UTF-8.
   * @throws CommandError if it is missing, outside the folder, no regular file, too large or not UTF-8
   */
  async read(name: string): Promise<string> {
    const path = await this.#locate(name)
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
