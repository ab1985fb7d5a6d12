import type { Database } from '../../../src/db/database.ts'
import type { Sender } from '../../../src/db/sender.ts'

const SHOWN_CHARACTERS = 90

/** Counts statements in snapshots, and how long their replies take. */
export class StatementTimes {
  readonly #found = new Map<string, { count: number; ms: number }>()

  /** The database, with its snapshots watched. */
  watch(db: Database): Database {
    const snapshot: Database['snapshot'] = (work) =>
      db.snapshot((reads) => work({ ...reads, sender: this.#watch(reads.sender) }))
    return { ...db, snapshot }
  }

  #watch(sender: Sender): Sender {
    return {
      send: async (statement) => {
        const since = performance.now()
        const reply = await sender.send(statement)
        this.#add(statement.sql, performance.now() - since)
        return reply
      },
      stream: (statement) => sender.stream(statement),
    }
  }

  #add(sql: string, ms: number): void {
    const text = sql
      .replace(/`?wp_\d+_/g, 'wp_N_')
      .replace(/\s+/g, ' ')
      .slice(0, SHOWN_CHARACTERS)
    const found = this.#found.get(text) ?? { count: 0, ms: 0 }
    this.#found.set(text, { count: found.count + 1, ms: found.ms + ms })
  }

  /** The totals, and the statements that took longest. */
  lines(sites: number, shown: number): string[] {
    const all = [...this.#found].sort(([, a], [, b]) => b.ms - a.ms)
    const sum = (of: 'count' | 'ms') => all.reduce((total, [, found]) => total + found[of], 0)
    const line = (text: string, { count, ms }: { count: number; ms: number }): string =>
      `  ${(count / sites).toFixed(2)} statements, ${(ms / sites).toFixed(2)} ms a site: ${text}`
    return [
      line('all in snapshots', { count: sum('count'), ms: sum('ms') }),
      ...all.slice(0, shown).map(([text, found]) => line(text, found)),
    ]
  }
}
