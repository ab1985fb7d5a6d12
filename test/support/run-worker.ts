import { INLINE_ANALYZER } from '../../src/frames/frame-markup.ts'
import { createLog } from '../../src/log.ts'
import { RunWorker } from '../../src/plan/run-worker.ts'
import type { TestNetwork } from './network.ts'

/** Continues runs in the background, as the service does. It builds nothing. */
export const startRunWorker = ({ db, globals }: Pick<TestNetwork, 'db' | 'globals'>): RunWorker =>
  new RunWorker({
    db,
    globals,
    log: createLog('silent'),
    analyzer: INLINE_ANALYZER,
    wake: () => {},
    maxSiteBytes: undefined,
  })
