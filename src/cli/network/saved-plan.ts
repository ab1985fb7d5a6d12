import { randomUUID } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { type Description, parseDescription } from '../../description/description.ts'
import { REFUSED_PROBLEMS, type RefusedProblems } from '../../plan/plan-context.ts'
import type { Step } from '../../plan/site-plan.ts'
import { findMainBlog } from '../../wordpress/network/find-sites.ts'
import { type CliServices, CommandError } from '../cli-context.ts'
import type { PlanGroup, PlanGroups } from './plan-groups.ts'

/** A plan in a file. Its id becomes that of the run. */
export type SavedPlan = {
  readonly id: string
  /** The moment before the sites were read, GMT with milliseconds. */
  readonly createdAt: string
  readonly description: Description
  /** The steps of each site, by blog id. */
  readonly sites: ReadonlyMap<number, { readonly digest: string; readonly steps: readonly Step[] }>
  /** Ids of the sites that have no plan because of problems. */
  readonly blocked: readonly number[]
  /** Which problems of frames block a site. */
  readonly refuses: RefusedProblems
}

const VERSION = 1

const SavedPlanSchema = z.object({
  version: z.literal(VERSION),
  id: z.uuid(),
  created_at: z.string().refine(isTime),
  network: z.string(),
  description: z.unknown(),
  // Older files do not have it.
  blocked: z.array(z.int().positive()).default([]),
  refuses: z.enum(REFUSED_PROBLEMS).default('errors'),
  plans: z.array(
    z.object({
      digest: z.string().regex(/^[0-9a-f]{64}$/),
      sites: z.array(z.int().positive()),
      steps: z.array(z.looseObject({ kind: z.string(), name: z.string(), action: z.string() })),
    }),
  ),
})

/** Whether it is a time as `formatTime` writes it. */
function isTime(text: string): boolean {
  const time = new Date(`${text.replace(' ', 'T')}Z`)
  return !Number.isNaN(time.getTime()) && formatTime(time) === text
}

const formatTime = (time: Date): string => time.toISOString().slice(0, 23).replace('T', ' ')

/** The address of the main site of the network; '' without one. */
async function readNetworkAddress({ db, globals }: CliServices): Promise<string> {
  const blog = await findMainBlog(db, globals)
  return blog ? `${blog.domain}${blog.path}` : ''
}

/** Writes the plan of all sites that have no problems, and which have some. @param startedAt the moment before the sites were read */
export async function savePlan(
  services: CliServices,
  file: string,
  { description, refuses }: Pick<SavedPlan, 'description' | 'refuses'>,
  groups: PlanGroups,
  startedAt: Date,
): Promise<void> {
  const isBlocked = ({ plan }: PlanGroup): boolean => plan.problems.length > 0
  const blocked = groups
    .all()
    .filter(isBlocked)
    .flatMap(({ sites }) => sites)
  const plans = groups
    .all()
    .filter((group) => !isBlocked(group))
    .map(({ plan: { digest, steps }, sites }) => ({
      digest,
      sites: sites.map(({ blogId }) => blogId),
      steps: steps.map(({ ref: _, diff: __, ...step }) => step),
    }))
  const saved = {
    version: VERSION,
    id: randomUUID(),
    created_at: formatTime(startedAt),
    network: await readNetworkAddress(services),
    description,
    refuses,
    plans,
    blocked: blocked.map(({ blogId }) => blogId),
  }
  await writeFile(file, `${JSON.stringify(saved)}\n`)
}

/** Whether the path is a file, and so a saved plan. */
export async function isSavedPlan(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() ?? false
}

/** @throws CommandError if the file is no plan of this version, or of another network */
export async function readSavedPlan(services: CliServices, file: string): Promise<SavedPlan> {
  const parsed = SavedPlanSchema.safeParse(parseJson(await readFile(file, 'utf8')))
  if (!parsed.success) {
    throw new CommandError(
      `${file} is not a plan of this version. Write it with "wp-frames plan <folder> --out ${file}".`,
    )
  }
  const { id, created_at, network, description, blocked, refuses, plans } = parsed.data
  const own = await readNetworkAddress(services)
  if (network !== own) {
    throw new CommandError(
      `${file} is a plan of the network ${network}, but this is ${own}. Its sites have other ids, so plan again here.`,
    )
  }
  return {
    id,
    createdAt: created_at,
    description: parseDescription(description),
    blocked,
    refuses,
    sites: new Map(
      plans.flatMap(({ digest, sites, steps }) =>
        sites.map((blogId) => [blogId, { digest, steps: steps as unknown as Step[] }] as const),
      ),
    ),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
