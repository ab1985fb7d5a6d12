import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { CommandError } from '#wp-frames/cli/cli-context'
import { readYamlData } from '#wp-frames/host/yaml-data'
import type { AcceptedDifference } from '../../compare/accepted-differences.ts'
import { APART_KINDS, DIFFERENCE_KINDS } from '../../compare/difference.ts'

const YAML_OPTIONS = { maxDepth: 10, subject: 'list of differences' }

const EntriesSchema = z.array(
  z.strictObject({
    route: z.string().min(1),
    field: z.string().min(1),
    kind: z.enum([...DIFFERENCE_KINDS, ...APART_KINDS]).optional(),
    reason: z.string().trim().min(1),
  }),
)

/**
 * Reads the differences that the operator accepts, from YAML or JSON.
 * @throws CommandError with the line of the first mistake
 */
export async function readAcceptedFile(file: string): Promise<readonly AcceptedDifference[]> {
  const { value, problems, lineAt } = readYamlData(await readFile(file, 'utf8'), YAML_OPTIONS)
  const [problem] = problems
  if (problem) throw new CommandError(`${file}:${problem.line}: ${problem.message}`)
  const parsed = EntriesSchema.safeParse(value ?? [])
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path ?? []
  throw new CommandError(
    `${file}:${lineAt(path)}: ${path.join('.') || 'the file'}: ${issue?.message}. Each entry of the list has a route (GET /frames), a field (frames[].id), a reason, and if only one kind of difference is accepted a kind.`,
  )
}
