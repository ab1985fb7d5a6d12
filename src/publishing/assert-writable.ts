import { mkdir } from 'node:fs/promises'
import { findStaticFolderProblem } from './static-folder-state.ts'

/** Makes the folder of static copies where it is missing; throws where nothing can be written into it, or nothing fits any more. */
export async function assertWritable(staticDir: string): Promise<void> {
  await mkdir(staticDir, { recursive: true })
  const fault = await findStaticFolderProblem(staticDir)
  if (fault !== undefined) throw new Error(`static copies can't be written: ${fault}`)
}
