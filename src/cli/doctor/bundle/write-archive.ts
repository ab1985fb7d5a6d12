import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { CommandError } from '../../cli-context.ts'

/** The folder in the archive. */
const BUNDLE_FOLDER = 'wp-frames-bundle'

/**
 * Writes files to a new tar.gz that only its owner can read.
 * @returns its size in bytes
 * @throws CommandError if it exists or cannot be written
 */
export async function writeArchive(
  path: string,
  files: ReadonlyMap<string, string>,
): Promise<number> {
  const folder = await mkdtemp(join(dirname(path), '.wp-frames-bundle-')).catch(refuse(path))
  try {
    await mkdir(join(folder, BUNDLE_FOLDER))
    for (const [name, text] of files)
      await writeFile(join(folder, BUNDLE_FOLDER, name), text, { mode: 0o600 })
    const output = createWriteStream(path, { flags: 'wx', mode: 0o600 })
    await once(output, 'open').catch(refuse(path))
    const tar = spawn('tar', ['--create', '--file=-', `--directory=${folder}`, BUNDLE_FOLDER], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [[code]] = await Promise.all([
      once(tar, 'close'),
      pipeline(tar.stdout, createGzip(), output),
    ]).catch((error) => refuse(path)(error))
    if (code !== 0) throw new CommandError(`The program tar ended with ${code}.`)
    return (await stat(path)).size
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const refuse =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.code === 'EEXIST')
      throw new CommandError(`"${path}" exists. Delete it, or choose another name.`)
    if (error.syscall === 'spawn tar')
      throw new CommandError('The bundle is made with the program tar, which is not installed.')
    throw new CommandError(`"${path}" cannot be written (${error.code}). Choose another folder.`)
  }
