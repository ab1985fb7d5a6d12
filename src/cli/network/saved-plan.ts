import { readFile, stat, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Client, Plan } from '#client'
import { CommandError } from '../cli-context.ts'
import { jsonIn } from '../read-input.ts'
import type { Service } from '../with-service.ts'
import { findPlan } from './run-client.ts'

const VERSION = 2

/** A file that names a stored plan. */
const SavedPlanSchema = z.object({
  version: z.literal(VERSION),
  plan: z.uuid(),
  /** Where it is stored, for readers. */
  service: z.string(),
})

/** Writes a file that names a stored plan. */
export async function savePlan(service: Service, file: string, { id }: Plan): Promise<void> {
  const saved = { version: VERSION, plan: id, service: await nameOfService(service) }
  await writeFile(file, `${JSON.stringify(saved)}\n`)
}

/** The address of the service, or of the main site in the database. */
async function nameOfService({ url, client }: Service): Promise<string> {
  if (url !== undefined) return url
  for await (const { main, address } of client.sites()) if (main) return address
  return 'a database'
}

/** What a path is: a folder, a file, or nothing. */
export async function kindOfPath(path: string): Promise<'folder' | 'file' | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return 'folder'
  return found ? 'file' : undefined
}

/**
 * Finds the plan that a file names.
 * @throws CommandError if the file names none, or one that this service does not have
 */
export async function readSavedPlan(client: Client, file: string): Promise<Plan> {
  const parsed = SavedPlanSchema.safeParse(jsonIn(await readFile(file, 'utf8')))
  if (!parsed.success)
    throw new CommandError(
      `${file} is not a plan of this version. Write it with "wp-frames plan <folder> --out ${file}".`,
    )
  const { plan, service: address } = parsed.data
  return findPlan(client, plan).catch((error) => {
    if (!(error instanceof CommandError)) throw error
    throw new CommandError(
      `${file} names the plan ${plan}, which was made at ${address} and is not here. Plan again.`,
    )
  })
}
