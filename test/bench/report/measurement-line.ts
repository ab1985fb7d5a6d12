import type { ContenderName } from '../contender.ts'
import type { Figures } from '../load/measure.ts'
import type { Workload } from '../workloads/workload.ts'
import { figure } from './figure.ts'

/** Formats a measurement as a line. */
export function measurementLine(
  { title }: Workload,
  name: ContenderName,
  { perSecond, p50, p99, queries, roundTrips, cpuMs, databaseCpuMs, scaledFrom }: Figures,
): string {
  return [
    title.padEnd(34),
    name.padEnd(9),
    `${figure(perSecond).padStart(7)}/s`,
    `p50 ${figure(p50).padStart(6)} ms`,
    `p99 ${figure(p99).padStart(6)} ms`,
    `${figure(queries).padStart(6)} queries`,
    ...(roundTrips === undefined ? [] : [`${figure(roundTrips).padStart(6)} round trips`]),
    `CPU ${figure(cpuMs)} + ${figure(databaseCpuMs)} ms`,
    scaledFrom === undefined ? '' : `(from ${scaledFrom})`,
  ].join('  ')
}
