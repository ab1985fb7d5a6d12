import { join } from 'node:path'
import { binlogArgs } from '../../demo/private-database/start-server.ts'
import { type Pass, runPass } from './edits/run-pass.ts'
import { preparePhpWordPress } from './support/php-wordpress.ts'
import type { Figures, Trial } from './trial.ts'

const POLL = { watchSeconds: 1, limitMs: 6000 }

const PASSES: readonly Pass[] = [
  { name: 'binlog of rows', args: binlogArgs(), feed: 'followed', watchSeconds: 2, limitMs: 5000 },
  { name: 'binlog of statements', args: binlogArgs('MIXED'), feed: 'refused', ...POLL },
  { name: 'no binlog', args: [], feed: 'none', ...POLL },
]

/** The only trial in which the service must notice what other programs write. */
export const edits: Trial = {
  name: 'edits',
  targets: ['folder', 's3'],
  tries:
    'SQL and PHP edit a site beside writes of the service, and the service, the connection of its feed or the database is killed, or programs write statements to the binlog: every static copy is true within 5 s with a binlog of rows, within 6 s without one',
  async run(conditions) {
    const wordpress = await preparePhpWordPress()
    const figures: Record<string, string | number> = {}
    const faults: string[] = []
    for (const [at, pass] of PASSES.entries()) {
      conditions.progress(pass.name)
      const folder = join(conditions.folder, String(at))
      const seed = conditions.seed * PASSES.length + at
      const found = await runPass(pass, wordpress, { ...conditions, folder, seed })
      Object.assign(figures, prefixed(pass.name, found.figures))
      faults.push(...found.faults)
    }
    return { figures, faults }
  },
}

const prefixed = (prefix: string, figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${prefix}, ${name}`, value]))
