import { join } from 'node:path'
import { writeFilesAtomically } from '../publishing/atomic-write.ts'

/** Puts a file into a folder, made where it is missing; a crash leaves the old file or the new one. */
export async function putFile(folder: string, name: string, bytes: Buffer): Promise<void> {
  await writeFilesAtomically([{ path: join(folder, name), bytes, time: Date.now() / 1000 }])
}
