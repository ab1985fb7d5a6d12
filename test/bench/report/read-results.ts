import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { CONTENDERS } from '../contender.ts'

const FiguresSchema = z.object({
  perSecond: z.number().positive(),
  cpuMs: z.number(),
  databaseCpuMs: z.number(),
  queries: z.number(),
  roundTrips: z.number().optional(),
})

const ResultsSchema = z.object({
  date: z.string(),
  commit: z.string(),
  remoteDelayMs: z.number().optional(),
  machine: z.object({ processor: z.string(), cores: z.number() }),
  results: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      figures: z.partialRecord(z.enum(CONTENDERS), FiguresSchema),
    }),
  ),
})

/** An earlier run: the parts of its file that are compared. */
export type EarlierRun = z.infer<typeof ResultsSchema>

/** @throws Error if the file is missing or is no file of `writeResults` */
export function readResults(file: string): EarlierRun {
  const advice = 'Give a file that "npm run bench -- --out <file>" has written.'
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`--compare cannot read ${file}: ${(error as Error).message}. ${advice}`)
  }
  const parsed = ResultsSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') || 'the file'
  throw new Error(
    `${file} contains no results of the benchmark (${where}: ${issue?.message}). ${advice}`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
