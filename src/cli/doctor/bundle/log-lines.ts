import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { CommandError } from '../../cli-context.ts'
import type { CleanText } from './clean-text.ts'

/** Log lines in a bundle: the last ones. */
export const MAX_LOG_LINES = 2000
/** Length of a line, in characters. Longer ones are left out. */
const MAX_LINE_LENGTH = 64 * 1024

/** Segments of paths that are the same in all networks. All others are names. */
const PATH_SEGMENTS = new Set(
  'site sites network frames menus pages items locations data graph batch preview history restore changes changed findings work completions tokens plans runs drift rebake check targets me mcp docs console healthz readyz wp-json svc v1'.split(
    ' ',
  ),
)

/**
 * The last lines of a log, with the fields that contain nothing of the sites. Lines that are no lines of this log are counted only.
 * @throws CommandError if the file cannot be read
 */
export async function readLogLines(path: string, clean: CleanText): Promise<string> {
  const lines: string[] = []
  let others = 0
  try {
    const input = createReadStream(path === '-' ? '/dev/stdin' : path, 'utf8')
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const shown = line.length > MAX_LINE_LENGTH ? undefined : presentLine(line, clean)
      if (shown === undefined) {
        others += 1
        continue
      }
      lines.push(shown)
      if (lines.length > 2 * MAX_LOG_LINES) lines.splice(0, MAX_LOG_LINES)
    }
  } catch (error) {
    throw new CommandError(
      `The log "${path}" cannot be read (${(error as NodeJS.ErrnoException).code}). Check the path of --log.`,
    )
  }
  const last = lines.slice(-MAX_LOG_LINES)
  const omitted = `${JSON.stringify({ omitted_other_lines: others })}\n`
  return `${omitted}${last.map((line) => `${line}\n`).join('')}`
}

type LogLine = {
  readonly level?: unknown
  readonly time?: unknown
  readonly worker?: unknown
  readonly site?: unknown
  readonly token?: unknown
  readonly responseTime?: unknown
  readonly msg?: unknown
  readonly reason?: unknown
  readonly req?: { readonly id?: unknown; readonly method?: unknown; readonly path?: unknown }
  readonly res?: { readonly status?: unknown }
  readonly err?: Readonly<Record<'type' | 'code' | 'message' | 'stack', unknown>>
}

function presentLine(line: string, clean: CleanText): string | undefined {
  const parsed = parseLine(line)
  if (parsed?.msg === undefined) return undefined
  const { level, time, worker, site, token, responseTime, msg, reason, req, res, err } = parsed
  const text = (value: unknown) => (typeof value === 'string' ? clean(value) : undefined)
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
  return JSON.stringify({
    level: number(level),
    time: number(time),
    worker: number(worker),
    site: number(site),
    token: number(token),
    responseTime: number(responseTime),
    msg: text(msg),
    reason: text(reason),
    req: req && { id: text(req.id), method: text(req.method), path: presentPath(req.path) },
    res: res && { status: number(res.status) },
    err: err && {
      type: text(err.type),
      code: text(err.code),
      message: text(err.message),
      // The first lines of a stack repeat the message.
      stack: typeof err.stack === 'string' ? clean(presentStack(err.stack)) : undefined,
    },
  })
}

function parseLine(line: string): LogLine | undefined {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}

function presentPath(path: unknown): string | undefined {
  if (typeof path !== 'string') return undefined
  const show = (segment: string) =>
    segment === '' || /^\d{1,9}$/.test(segment) || PATH_SEGMENTS.has(segment) ? segment : '[name]'
  return path.split('/').map(show).join('/')
}

const presentStack = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
