import { METRICS } from '../../src/host/metrics.ts'
import { withRows } from './rows.ts'

/** docs/operating.md with a row for each metric. */
export const metricsPage = (page: string): string =>
  withRows(
    page,
    ['metric', 'type', 'labels', 'meaning'],
    Object.entries(METRICS).map(([name, { kind, help, labels }]) => [
      `\`wp_frames_${name}\``,
      kind,
      labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]),
  )
