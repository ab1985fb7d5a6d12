import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { CommandError } from '#wp-frames/cli/cli-context'
import type { WriteStep } from '../../../compare/write-steps.ts'

const RecordedSchema = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().regex(/^\/site\/[1-9]\d*\/[^#]*$/, 'must be a path such as /site/2/frames'),
  body: z.unknown().optional(),
})

/**
 * Reads recorded requests, one JSON object a line: `{"method": "PUT", "path": "/site/2/frames/header", "body": {...}}`.
 * @returns the requests of each site, in their order
 * @throws CommandError with the line of the first mistake, or for a request to a site that is not copied
 */
export async function readRecordedRequests(
  file: string,
  sites: readonly number[],
): Promise<ReadonlyMap<number, readonly WriteStep[]>> {
  const bySite = new Map<number, WriteStep[]>()
  for (const [index, line] of (await readFile(file, 'utf8')).split('\n').entries()) {
    if (line.trim() === '') continue
    const parsed = RecordedSchema.safeParse(parseJson(line))
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      throw new CommandError(
        `${file}:${index + 1}: ${issue?.path.join('.') || 'the line'}: ${issue?.message}. Each line is {"method": "PUT", "path": "/site/2/frames/header", "body": {...}}.`,
      )
    }
    const { method, path, body } = parsed.data
    const [, id = '', below = ''] = /^\/site\/(\d+)(\/.*)$/.exec(path) ?? []
    const blogId = Number(id)
    if (!sites.includes(blogId))
      throw new CommandError(
        `${file}:${index + 1}: ${path} is not of a site in --site. Add it there, or leave the request out.`,
      )
    const step = body === undefined ? { method, path: below } : { method, path: below, body }
    const steps = bySite.get(blogId) ?? []
    steps.push(step)
    bySite.set(blogId, steps)
  }
  return bySite
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
