import { appendFile, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isFileNotFound } from '#wp-frames/build/publishing/file-not-found'
import { writeFileAtomically } from '#wp-frames/cli/atomic-write'
import { CommandError } from '#wp-frames/cli/cli-context'
import { loginsFile } from '#wp-frames/cli/remote/logins'
import type { Config } from '#wp-frames/host/config/config'
import { sha256Hex } from '#wp-frames/host/hash'
import type { SiteComparisonResult } from '../../compare/comparison-report.ts'

/** What identifies a comparison. */
export type ComparisonIdentity = {
  readonly old: string
  readonly new: string
  readonly deep: boolean
  readonly dry_runs: boolean
}

/** The first line of the file: what is compared, and since when. */
type Heading = ComparisonIdentity & { readonly version: 1; readonly started_at: string }

/** Excerpts of contents are in it. */
const MODE = 0o600

/** The file of a comparison that no option names. */
export function defaultStateFile(config: Config, identity: ComparisonIdentity): string {
  const name = sha256Hex(JSON.stringify(identity)).slice(0, 16)
  return join(dirname(loginsFile(config)), 'comparisons', `${name}.jsonl`)
}

/**
 * The results of the sites that are compared, in memory and in a file: a line for each site, so that an interruption loses at most the site
 * that is being compared.
 */
export class ComparisonState {
  readonly file: string
  readonly startedAt: string
  readonly #results: Map<number, SiteComparisonResult>
  #hasFile: boolean
  readonly #heading: Heading

  private constructor(
    file: string,
    heading: Heading,
    results: readonly SiteComparisonResult[],
    hasFile: boolean,
  ) {
    this.file = file
    this.#heading = heading
    this.startedAt = heading.started_at
    this.#results = new Map(results.map((result) => [result.site_id, result]))
    this.#hasFile = hasFile
  }

  /**
   * Continues the comparison that the file has, or begins one.
   * @param restart forget what the file has
   * @throws CommandError if the file is of another comparison, or something else
   */
  static async open(
    file: string,
    identity: ComparisonIdentity,
    restart: boolean,
  ): Promise<ComparisonState> {
    const heading: Heading = { version: 1, ...identity, started_at: new Date().toISOString() }
    const text = restart ? undefined : await readIfThere(file)
    if (text === undefined) return new ComparisonState(file, heading, [], false)
    const [first, ...lines] = text.split('\n')
    const stored = parseLine<Heading>(first ?? '')
    if (stored?.version !== 1)
      throw new CommandError(`${file} is not the state of a comparison. Name another file.`)
    const { version: _, started_at, ...storedIdentity } = stored
    if (JSON.stringify(storedIdentity) !== JSON.stringify(identity))
      throw new CommandError(
        `${file} has the state of another comparison (${stored.old} with ${stored.new}). Name another file, or add --restart.`,
      )
    // The last line may be torn.
    const results = lines.flatMap((line) => parseLine<SiteComparisonResult>(line) ?? [])
    // What failed is tried again.
    const done = results.filter(({ state }) => state !== 'not_compared')
    return new ComparisonState(file, stored, done, true)
  }

  has(siteId: number): boolean {
    return this.#results.has(siteId)
  }

  /** By id. */
  get results(): readonly SiteComparisonResult[] {
    return [...this.#results.values()].sort((a, b) => a.site_id - b.site_id)
  }

  async add(result: SiteComparisonResult): Promise<void> {
    this.#results.set(result.site_id, result)
    if (!this.#hasFile) {
      this.#hasFile = true
      await writeFileAtomically(this.file, Buffer.from(`${JSON.stringify(this.#heading)}\n`), MODE)
    }
    // The line break comes first, because the last line may be torn.
    await appendFile(this.file, `\n${JSON.stringify(result)}`)
  }

  /** The comparison is complete. */
  async remove(): Promise<void> {
    await rm(this.file, { force: true })
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error) => {
    if (isFileNotFound(error)) return undefined
    throw error
  })
}

function parseLine<T>(line: string): T | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as T) : undefined
  } catch {
    return undefined
  }
}
