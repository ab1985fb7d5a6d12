import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'

/** Makes the folder of static copies where it is missing; throws where nothing can be written into it, or nothing fits any more. */
export async function assertWritable(staticDir: string): Promise<void> {
  await mkdir(staticDir, { recursive: true })
  await access(staticDir, constants.W_OK | constants.X_OK)
  const { bavail } = await statfs(staticDir)
  if (bavail === 0) throw new Error(`the disk of ${staticDir} is full`)
}
